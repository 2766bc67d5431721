"""Puzzles as JSON."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import PuzzleGameKey

_PUZZLE: dict[str, Any] = {
    "id": "k7m2p9qx4c",
    "game": "jadejack",
    "position": "8/4wwbb/1b6/3w4/3(ww)1bb1/5b2/bb(ww)2b2/1ww5 b 0",
    "side_to_move": "black",
    "themes": ["middle_game", "keep_the_lead"],
    "rating": 1312,
}
_ATTEMPT: dict[str, Any] = {
    "puzzle": _PUZZLE,
    "solved": True,
    "rating_change": 42.5,
    "attempted_at": "2026-11-21T18:05:00Z",
}
_HISTORY: dict[str, Any] = {
    "rating": 1542,
    "provisional": True,
    "attempts": 12,
    "solved": 9,
    "streak": 4,
    "best_streak": 6,
    "rows": [_ATTEMPT],
    "next": None,
}
_MOST_MOVES = 20


class PuzzleShown(BaseModel):
    """A puzzle. `position` is in the notation of the game; of Golden Nugget: the face and the 49 blocks."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PUZZLE]})

    id: str
    game: PuzzleGameKey
    position: str
    side_to_move: str
    themes: list[str]
    rating: int


class AttemptMade(RequestBody):
    """Your moves in order, without the replies to them. No move at all gives the puzzle up."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"moves": ["b3"]}]})

    moves: Annotated[list[Annotated[str, Field(max_length=16)]], Field(max_length=_MOST_MOVES)]


class AttemptJudged(BaseModel):
    """What the moves of an attempt make of a puzzle.

    An attempt that is not `finished` needs more moves: send all of them again with the next one, after the
    opponent's `reply`. `solution` is the whole line, with replies, once it is finished. `rating_change` is
    null if the attempt is not finished or does not count, as only the first one does.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "solved": True,
                    "finished": True,
                    "position": "8/4wwbb/1b6/3w4/3(ww)1bb1/1b3b2/bb(ww)2b2/1ww5 w 0",
                    "reply": None,
                    "solution": ["b3"],
                    "rating_change": 42.5,
                }
            ]
        }
    )

    solved: bool
    finished: bool
    position: str
    reply: str | None
    solution: list[str] | None
    rating_change: float | None


class PastAttempt(BaseModel):
    """Your first attempt at a puzzle."""

    model_config = ConfigDict(json_schema_extra={"examples": [_ATTEMPT]})

    puzzle: PuzzleShown
    solved: bool
    rating_change: float
    attempted_at: datetime


class HistoryShown(BaseModel):
    """What you have reached in the puzzles of a game, and your attempts, the latest first.

    `next` is the `before` of the following page, or null.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_HISTORY]})

    rating: int
    provisional: bool
    attempts: int
    solved: int
    streak: int
    best_streak: int
    rows: list[PastAttempt]
    next: datetime | None


class MadeOfGame(RequestBody):
    """A position in a finished game: the one after `ply` plies."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"ply": 23}]})

    ply: Annotated[int, Field(ge=0, le=10_000)]
