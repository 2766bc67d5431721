"""The schedules, when they run, and running one now."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from app.core.database.session import Database
from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.core.settings import Settings
from app.people.identity import audit
from app.people.identity.audit import SiteAction
from app.people.identity.clients import Client
from app.server.features import FEATURES

# PgQueuer's table has no model.
_LIST = text("""
SELECT entrypoint, expression, status = 'picked', last_run, next_run
FROM pgqueuer_schedules WHERE entrypoint = ANY(:known) ORDER BY entrypoint
""")
_RUN = text("""
UPDATE pgqueuer_schedules SET next_run = now()
WHERE entrypoint = :name AND entrypoint = ANY(:known) AND status = 'queued'
RETURNING entrypoint
""")


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """A schedule: its cron expression, and when it ran last and runs next."""

    name: str
    cron: str
    is_running: bool
    last_run: datetime | None
    next_run: datetime


def known(settings: Settings) -> list[str]:
    """Return the names of the schedules that web processes run; the table has others, too."""
    return [each.name for feature in FEATURES for each in feature.schedules if each.only_if(settings)]


async def schedules(database: Database, settings: Settings) -> Sequence[ScheduleState]:
    """Return all schedules by their names."""
    async with database.reading_now() as session:
        return [ScheduleState(*row) for row in await session.execute(_LIST, {"known": known(settings)})]


async def run_now(database: Database, settings: Settings, name: str, by: Client = audit.OPERATOR) -> None:
    """Let a web process run a schedule within two seconds. Raise ConflictError `not_waiting`."""
    async with database.transaction() as session:
        if await session.scalar(_RUN, {"name": name, "known": known(settings)}) is None:
            raise ConflictError("not_waiting", _("This schedule is running already, or there is none."))
        audit.record_of_site(session, SiteAction.SCHEDULE_RUN, by, name)
