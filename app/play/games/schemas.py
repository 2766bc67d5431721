"""What the JSON API takes and returns for games; `snapshot.py` fills in the typed dictionaries."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, with_config
from typing_extensions import TypedDict

from app.core.web.bodies import BodyUuid, RequestBody
from app.core.web.registered import Ending, GameKey, Options, SideName
from app.core.web.shown import Id, Move, Position, Rating, Score, Unchecked, Username, example
from engine.record import MAX_BYTES

_START = "9/9/9/9/9/9/9/9/9 b 0"
_SNAPSHOT: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "game": "jadejack",
    "options": {"size": 9},
    "status": "started",
    "players": {
        "black": {
            "username": "wren",
            "rating": None,
            "provisional": None,
            "is_computer": False,
            "vacation_until": None,
        },
        "white": {
            "username": "guest-3f9a01c2",
            "rating": None,
            "provisional": None,
            "is_computer": False,
            "vacation_until": None,
        },
    },
    "ply": 1,
    "first_ply": 0,
    "side_to_move": "white",
    "position": "9/9/9/9/9/2b6/9/9/9 w 0",
    "legal_moves": ["a1", "b1", "pass"],
    "score": {"black": 4, "white": 1.5},
    "last_move": "c4",
    "clock": None,
    "periods": None,
    "deadline": None,
    "time_control": None,
    "rated": False,
    "tournament": None,
    "voided": False,
    "takeback": None,
    "takeback_to": None,
    "pause": None,
    "paused_until": None,
    "undos": 0,
    "submitted": False,
    "moves": ["c4"],
    "spent": [None],
    "played_at": ["2026-11-21T10:00:00Z"],
    "result": None,
}

MoveText = Annotated[str, Field(min_length=1, max_length=16, examples=["e5"])]
Ply = Annotated[int, Field(ge=0, le=100_000)]


class Option(BaseModel):
    """The integers that an option may take, and its default."""

    minimum: int
    maximum: int
    default: int


class Kind(BaseModel):
    """A game of the registry, with the options of its form for two if it has one.

    `solitaire`: it can be played alone.
    """

    key: GameKey
    title: Annotated[str, example("JadeJack")]
    seats: Unchecked[Literal[1, 2]]
    solitaire: bool
    sides: list[SideName]
    options: Annotated[dict[str, Option], example({"size": {"minimum": 8, "maximum": 13, "default": 10}})]


class MoveRequest(RequestBody):
    """A move, the number of plies before it, and the client's identifier of it."""

    move: MoveText
    ply: Ply
    move_id: BodyUuid


class SocketMove(MoveRequest):
    """A move sent over the websocket."""

    type: Literal["move"]


class Seat(TypedDict):
    """The player of a side, with the rating at the start of the game.

    During a vacation, whose end is `vacation_until`, the player's clock stands still.
    """

    username: Username
    rating: Rating | None
    provisional: bool | None
    is_computer: bool
    vacation_until: datetime | None


class Result(TypedDict):
    """How a game ended; `winner` is a side, or null."""

    winner: SideName | None
    termination: Ending
    score: Score


@with_config(ConfigDict(extra="forbid", json_schema_extra={"examples": [_SNAPSHOT]}))
class Snapshot(TypedDict):
    """Everything about a game, in the notation of its rules.

    `spent` has the milliseconds that the side of each move thought (null without a clock, and for moves that
    the server played), `played_at` when each move was made. `clock` is in milliseconds; it stands still until
    `paused_until`. `takeback` and `pause` are the sides that ask for one; the takeback would lead to the ply
    `takeback_to`. The first `first_ply` moves led to the position in which the game began. `tournament` is
    the id of the tournament that the game is part of, or null.
    """

    id: Id
    game: GameKey
    options: Options
    status: Unchecked[Literal["started", "finished", "aborted"]]
    players: Mapping[str, Seat]
    ply: int
    first_ply: int
    side_to_move: SideName | None
    position: Position
    legal_moves: list[Move]
    score: Score
    last_move: Move | None
    clock: dict[str, int] | None
    periods: dict[str, int] | None
    deadline: datetime | None
    time_control: dict[str, Any] | None
    rated: bool
    tournament: Id | None
    voided: bool
    takeback: SideName | None
    takeback_to: int | None
    pause: SideName | None
    paused_until: datetime | None
    undos: int
    submitted: bool
    moves: list[Move]
    spent: list[int | None]
    played_at: list[datetime]
    result: Result | None


@with_config(ConfigDict(extra="forbid"))
class SnapshotEvent(Snapshot):
    """The first message, and the one after steps that are no moves: everything about the game."""

    type: Literal["snapshot"]


@with_config(ConfigDict(extra="forbid"))
class MoveEvent(TypedDict):
    """A ply that was played, and the game after it."""

    type: Literal["move"]
    ply: int
    move: Move
    automatic: bool
    spent: int | None
    position: Position
    side_to_move: SideName | None
    legal_moves: list[Move]
    score: Score
    clock: dict[str, int] | None


@with_config(ConfigDict(extra="forbid"))
class FinishedEvent(TypedDict):
    """The end of a game."""

    type: Literal["finished"]
    result: Result | None


@with_config(ConfigDict(extra="forbid"))
class Ack(TypedDict):
    """The move with this `move_id` is committed; the game has `ply` plies now."""

    type: Literal["ack"]
    move_id: Annotated[str, example("5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11")]
    ply: int


class SocketError(TypedDict):
    """Why a move was not played, with the members of a problem of the API; its `type` is always this."""

    type: Literal["error"]
    title: Annotated[str, example("Unprocessable Content")]
    status: Annotated[int, example(422)]
    detail: Annotated[str, example("c4 is taken.")]
    code: Annotated[str, example("illegal_move")]
    move_id: Annotated[str, example("5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11")] | None


class RecordRequest(RequestBody):
    """A game's record as text."""

    record: Annotated[
        str, Field(max_length=MAX_BYTES, examples=['[Game "jadejack"]\n[Options "size=9"]\n\n1. c4 g6\n'])
    ]


class RecordRead(BaseModel):
    """What a record says, and where its moves lead."""

    game: GameKey
    options: Options
    headers: dict[str, str]
    moves: list[Move]
    position: Position
    score: Score


def stream_example() -> dict[str, Any]:
    """Return the OpenAPI description of the NDJSON stream."""
    return {
        "description": "One JSON object per line: the snapshot, then events. An empty line is a heartbeat.",
        "content": {
            "application/x-ndjson": {
                "schema": {"type": "string", "format": "binary"},
                "example": '{"type":"snapshot","id":"k7m2wq9xab","position":"' + _START + '"}\n\n',
            }
        },
    }
