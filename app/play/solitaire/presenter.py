"""Builds the views of races."""

from app.core.moments import from_datetime
from app.people.identity.service import Identity
from app.play.games.boards import BOARDS
from app.play.solitaire.races import RaceInfo
from app.play.solitaire.views import RaceView
from engine.registry import SOLITAIRE


def race_view(race: RaceInfo, viewer: Identity | None) -> RaceView:
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
