"""Running functions at fixed times, each in only one of the server's processes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import asyncpg
import structlog
from pgqueuer import AsyncpgPoolDriver, Queries, SchedulerManager
from pgqueuer.models import Schedule as Tick

log = structlog.get_logger()

_RETRY_DELAY = 1.0  # seconds
_DATABASE_ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A function and when to run it: a cron expression, with seconds as its sixth field if it has one."""

    name: str
    cron: str
    function: Callable[[], Awaitable[object]]


async def run_schedules(pool: "asyncpg.Pool[asyncpg.Record]", schedules: list[Schedule]) -> None:
    """Run each function whenever it is due, until cancelled.

    The processes agree through PgQueuer's table of schedules. A function runs at most 2 s late; if its
    process dies, another one runs it after 30 s. An exception is logged, and the function runs again at its
    next time.
    """
    while True:
        # A manager that has failed cannot be run again.
        manager = SchedulerManager(Queries(AsyncpgPoolDriver(pool)))
        for schedule in schedules:
            manager.schedule(schedule.name, schedule.cron)(_running(schedule))
        try:
            await manager.run()
        except _DATABASE_ERRORS as error:
            log.warning("schedules_lost", error=repr(error))
            await asyncio.sleep(_RETRY_DELAY)


def _running(schedule: Schedule) -> Callable[[Tick], Awaitable[None]]:
    async def run(_tick: Tick) -> None:
        try:
            await schedule.function()
        except Exception:
            log.exception("schedule_failed", name=schedule.name)

    return run
