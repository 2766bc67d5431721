"""Games as the JSON API takes and gives them."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from engine.record import MAX_BYTES

_START = "9/9/9/9/9/9/9/9/9 b 0"
_SNAPSHOT: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "game": "jadejack",
    "options": {"size": 9},
    "status": "started",
    "players": {
        "black": {"username": "wren", "rating": None, "provisional": None},
        "white": {"username": "guest-3f9a01c2", "rating": None, "provisional": None},
    },
    "ply": 1,
    "side_to_move": "white",
    "position": "9/9/9/9/9/2b6/9/9/9 w 0",
    "legal_moves": ["a1", "b1", "pass"],
    "score": {"black": 4, "white": 1.5},
    "last_move": "c4",
    "clock": None,
    "deadline": None,
    "time_control": None,
    "rated": False,
    "takeback": None,
    "undos": 0,
    "submitted": False,
    "moves": ["c4"],
    "result": None,
}

MoveText = Annotated[str, Field(min_length=1, max_length=16)]
Ply = Annotated[int, Field(ge=0, le=100_000)]


class Option(BaseModel):
    """The whole numbers that an option may take, and what a challenge without it gets."""

    minimum: int
    maximum: int
    default: int


class Kind(BaseModel):
    """One game of the registry, with the options of its form for two where there is one.

    `solitaire`: it can be played alone.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "key": "jadejack",
                    "title": "JadeJack",
                    "seats": 2,
                    "solitaire": False,
                    "sides": ["black", "white"],
                    "options": {"size": {"minimum": 8, "maximum": 13, "default": 10}},
                }
            ]
        }
    )

    key: str
    title: str
    seats: Literal[1, 2]
    solitaire: bool
    sides: list[str]
    options: dict[str, Option]


class NewGame(BaseModel):
    """A solitaire game to start."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=32)]
    options: dict[str, int] = {}


class MoveRequest(BaseModel):
    """A move, the number of plies before it, and the client's own name for it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"move": "e5", "ply": 2, "move_id": "5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11"}]
        },
    )

    move: MoveText
    ply: Ply
    move_id: UUID


class SocketMove(MoveRequest):
    """A move sent over the websocket."""

    type: Literal["move"]


class Seat(BaseModel):
    """Who plays a side."""

    username: str
    rating: float | None
    provisional: bool | None


class Result(BaseModel):
    """How a game ended."""

    winner: str | None
    termination: str
    score: dict[str, float]


class Snapshot(BaseModel):
    """Everything there is to know of a game."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [_SNAPSHOT]})

    id: str
    game: str
    options: dict[str, int]
    status: Literal["created", "started", "finished", "aborted"]
    players: dict[str, Seat | None]
    ply: int
    side_to_move: str | None
    position: str
    legal_moves: list[str]
    score: dict[str, float]
    last_move: str | None
    clock: dict[str, int] | None
    deadline: str | None
    time_control: dict[str, int | str] | None
    rated: bool
    takeback: str | None
    undos: int
    submitted: bool
    moves: list[str]
    result: Result | None


class RecordRequest(BaseModel):
    """A game's record as text."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"record": '[Game "jadejack"]\n[Options "size=9"]\n\n1. c4 g6\n'}]},
    )

    record: Annotated[str, Field(max_length=MAX_BYTES)]


class RecordRead(BaseModel):
    """What a record says, and where its moves lead."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "game": "jadejack",
                    "options": {"size": 9},
                    "headers": {},
                    "moves": ["c4"],
                    "position": "9/9/9/9/9/2b6/9/9/9 w 0",
                    "score": {"black": 4, "white": 1.5},
                }
            ]
        }
    )

    game: str
    options: dict[str, int]
    headers: dict[str, str]
    moves: list[str]
    position: str
    score: dict[str, float]


def stream_example() -> dict[str, Any]:
    """Give the OpenAPI's description of the NDJSON stream."""
    return {
        "description": "One JSON object a line: the snapshot, then events; an empty line is a heartbeat.",
        "content": {
            "application/x-ndjson": {
                "schema": {"type": "string"},
                "example": '{"type":"snapshot","id":"k7m2wq9xab","position":"' + _START + '"}\n\n',
            }
        },
    }
