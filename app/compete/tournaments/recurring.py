"""The tournaments that the server makes by itself, from the table in the settings."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from app.compete.tournaments.events import TournamentChanged
from app.compete.tournaments.models import Tournament
from app.compete.tournaments.terms import MOST_PLAYERS, TournamentKind, TournamentPlan
from app.core.database.session import Database
from app.core.ids import new_id
from app.core.keep_going import make_each
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.core.recurring_arenas import RecurringArena, next_starts, usable
from app.core.settings import Settings
from app.core.web.look_alikes import skeleton
from app.play.games.creation import complete_options, rules_of

_AHEAD = 2  # of each series
_NOTICE = timedelta(minutes=6)  # a start in less than five may be one that a downtime has put off


class RecurringArenas:
    """The series that the settings list and that can be made."""

    def __init__(self, settings: Settings, database: Database, bus: Bus) -> None:
        series, _left_out = usable(settings.recurring_arenas)
        self._make = partial(make_recurring_arenas, database, bus, series)

    async def make(self) -> None:
        """Make the next arenas of each series."""
        await self._make()


async def make_recurring_arenas(database: Database, bus: Bus, table: Sequence[RecurringArena]) -> None:
    """Make the next arenas of each series unless they exist, and delete those in which nobody played."""
    unplayed = delete(Tournament).where(
        Tournament.series.is_not(None), Tournament.status == "finished", Tournament.size == 0
    )
    async with database.transaction() as session:
        deleted = (await session.scalars(unplayed.returning(Tournament.id))).all()
    bus.publish(*(TournamentChanged(tournament_id, in_list=True) for tournament_id in deleted))
    await make_each({arena.series: partial(_make_next, database, bus, arena) for arena in table})


async def _make_next(database: Database, bus: Bus, arena: RecurringArena) -> None:
    rows = [_row(arena, starts_at) for starts_at in next_starts(arena.cron, utc_now() + _NOTICE, _AHEAD)]
    if not rows:  # the years of its cron expression are over
        return
    statement = insert(Tournament).values(rows).on_conflict_do_nothing().returning(Tournament.id)
    async with database.transaction() as session:
        made = (await session.scalars(statement)).all()
    for tournament_id in made:
        bus.publish(TournamentChanged(tournament_id, in_list=True))


def _row(arena: RecurringArena, starts_at: datetime) -> Mapping[str, object]:
    return {
        "id": new_id(),
        "kind": TournamentKind.ARENA,
        "name": arena.name,
        "skeleton": skeleton(arena.name),
        "series": arena.series,
        "game": arena.game,
        "options": complete_options(rules_of(arena.game, 2), arena.options),
        "time_control": {"kind": "realtime", "limit": arena.limit, "increment": arena.increment},
        "rated": arena.rated,
        "plan": asdict(TournamentPlan(minutes=arena.minutes)),
        "starts_at": starts_at,
        "due_at": starts_at,
        "max_players": MOST_PLAYERS[TournamentKind.ARENA],
        "computers": arena.computers,
    }
