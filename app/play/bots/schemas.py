"""The computer players in the JSON API."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey

_THOUGHT: dict[str, Any] = {"move": "f4", "points": -1.5, "line": ["d6", "g3", "c7"]}


class Computer(BaseModel):
    """A computer player. It accepts a challenge to a casual game at once."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"username": "Gorrion-4", "level": 4, "games": ["jadejack"]}]}
    )

    username: str
    level: int
    games: list[GameKey]


class Hint(BaseModel):
    """A good move for the side to move."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"move": "e5"}]})

    move: str


class EvaluationRequest(RequestBody):
    """A position of a game for two, as a position string."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"game": "jadejack", "position": "8/8/8/8/8/2b5/8/8 w 0"}]}
    )

    game: GameKey
    position: str = Field(max_length=4_000)


class ThoughtShown(BaseModel):
    """A move, the points by which its side should win with it (negative: lose), and the moves after it."""

    model_config = ConfigDict(json_schema_extra={"examples": [_THOUGHT]})

    move: str
    points: float
    line: list[str]


class EvaluationShown(BaseModel):
    """The computer's best moves in a position, the best first, and how many plies it looked ahead."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"side": "white", "depth": 7, "thoughts": [_THOUGHT]}]}
    )

    side: str
    depth: int
    thoughts: list[ThoughtShown]
