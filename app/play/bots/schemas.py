"""The computer players in the JSON API."""

from typing import Annotated

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.registered import GameKey
from app.core.web.shown import Move, Position, Username, example


class Computer(BaseModel):
    """A computer player. It accepts a challenge to a casual game at once.

    Its strength at each game compares it with the other computer players, not with people.
    """

    username: Username
    level: int
    games: list[GameKey]
    strengths: dict[GameKey, int]


class Hint(BaseModel):
    """A good move for the side to move."""

    move: Move


class EvaluationRequest(RequestBody):
    """A position of a game for two, as a position string."""

    game: GameKey
    position: Position = Field(max_length=4_000)


class ThoughtShown(BaseModel):
    """A move, the points by which its side should win with it (negative: lose), and the moves after it."""

    move: Move
    points: float
    line: list[Move]


class EvaluationShown(BaseModel):
    """The computer's best moves in a position, the best first, and how many plies it looked ahead."""

    side: Annotated[str, example("white")]
    depth: int
    thoughts: list[ThoughtShown]
