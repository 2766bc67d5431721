"""The view of a race, and what builds it."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.moments import from_datetime
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS
from app.play.solitaire.races import RacerShown, RaceShown
from engine.registry import SOLITAIRE


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
    racers: Sequence[RacerShown]
    tie_break: str | None  # what breaks ties of points, if anything
    own_game: str | None  # the id of the viewer's game


def race_view(race: RaceShown, viewer: Identity | None) -> RaceView:
    """Return a race as a viewer sees it."""
    rules = SOLITAIRE[race.game]
    return RaceView(
        id=race.id,
        title=rules.title,
        board=BOARDS[rules].size_text(race.options),
        key=race.game,
        size=race.options["size"],
        maker=race.maker,
        deadline=from_datetime(race.ends_at),
        is_over=race.is_over,
        racers=race.racers,
        tie_break=rules.tie_break,
        own_game=race.game_of(viewer.id) if viewer else None,
    )
