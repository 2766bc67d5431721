"""Plain values that the templates of races draw."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.play.solitaire.races import Racer


@dataclass(frozen=True, slots=True)
class RaceView:
    """A race as one viewer sees it."""

    id: str
    title: str  # "Up and Up"
    board: str  # "8×8"
    key: str  # the game's registry key
    size: int
    maker: str
    deadline: int  # milliseconds since the epoch
    is_over: bool
    racers: Sequence[Racer]
    tie_break: str | None  # what breaks ties of points, if anything
    own_game: str | None  # the id of the viewer's game
