"""Reviews as JSON."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from app.core.web.registered import SideName

_PLY: dict[str, Any] = {"ply": 12, "side": "white", "move": "e5", "best": "f4", "points": -1.5, "loss": 2.25}


class PlyShown(BaseModel):
    """A move: the lead expected after it in points of the first side, and what it lost against `best`.

    In a game for one `points` is the best result within reach after it, and `best` is empty where it was best
    to stop.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [_PLY]})

    ply: int
    side: SideName
    move: str
    best: str
    points: float
    loss: float


class ReviewShown(BaseModel):
    """The review of a game. `plies` and `accuracy` (0 to 100, by side) are there once it is `done`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "status": "done",
                    "evaluated": 61,
                    "to_evaluate": 61,
                    "plies": [_PLY],
                    "accuracy": {"black": 91.4, "white": 84.0},
                }
            ]
        }
    )

    status: Literal["none", "under_way", "done"]
    evaluated: int
    to_evaluate: int
    plies: list[PlyShown]
    accuracy: dict[str, float | None]
