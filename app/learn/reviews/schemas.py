"""Reviews as JSON."""

from typing import Annotated, Literal

from pydantic import BaseModel

from app.core.web.registered import SideName
from app.core.web.shown import Move, Unchecked, example


class PlyShown(BaseModel):
    """A move: the lead expected after it in points of the first side, and what it lost against `best`.

    In a game for one `points` is the best result within reach after it, and `best` is empty where it was best
    to stop.
    """

    ply: int
    side: SideName
    move: Move
    best: Move
    points: float
    loss: float


class ReviewShown(BaseModel):
    """The review of a game. `plies` and `accuracy` (0 to 100, by side) are there once it is `done`."""

    status: Unchecked[Literal["none", "under_way", "done"]]
    evaluated: int
    to_evaluate: int
    plies: list[PlyShown]
    accuracy: Annotated[dict[str, float | None], example({"black": 91.4, "white": 84.0})]
