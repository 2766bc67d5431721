"""The tournaments that the server makes by itself, from the table in the settings."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from croniter import croniter
from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert

from app.database.session import Database
from app.events import TournamentChanged
from app.games.creation import complete_options, rules_of
from app.ids import new_id
from app.moments import utc_now
from app.realtime.bus import Bus
from app.settings import RecurringArena
from app.tournaments.models import Tournament
from app.tournaments.terms import MOST_PLAYERS, Plan, TournamentKind

_AHEAD = 2  # of each series


async def make_recurring_arenas(database: Database, bus: Bus, table: Sequence[RecurringArena]) -> None:
    """Make the next arenas of each series unless they exist, and delete those in which nobody played."""
    now = utc_now()
    rows = [_row(arena, starts_at) for arena in table for starts_at in _next_starts(arena.cron, now)]
    async with database.transaction() as session:
        await session.execute(
            delete(Tournament).where(
                Tournament.series.is_not(None), Tournament.status == "finished", Tournament.size == 0
            )
        )
        made: list[str] = []
        if rows:
            statement = insert(Tournament).values(rows).on_conflict_do_nothing()
            made += await session.scalars(statement.returning(Tournament.id))
    for tournament_id in made:
        bus.publish(TournamentChanged(tournament_id, in_list=True))


def _next_starts(cron: str, now: datetime) -> list[datetime]:
    following = croniter(cron, now, ret_type=datetime)
    return [following.get_next() for _ in range(_AHEAD)]


def _row(arena: RecurringArena, starts_at: datetime) -> Mapping[str, object]:
    return {
        "id": new_id(),
        "kind": TournamentKind.ARENA,
        "name": arena.name,
        "series": arena.series,
        "game": arena.game,
        "options": complete_options(rules_of(arena.game, 2), arena.options),
        "time_control": {"kind": "realtime", "limit": arena.limit, "increment": arena.increment},
        "rated": arena.rated,
        "plan": Plan(minutes=arena.minutes).to_dict(),
        "starts_at": starts_at,
        "due_at": starts_at,
        "max_players": MOST_PLAYERS[TournamentKind.ARENA],
        "computers": arena.computers,
    }
