"""Running functions at fixed times, each in only one of the server's processes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import structlog
from pgqueuer import AsyncpgPoolDriver, Queries, SchedulerManager
from pgqueuer.models import Schedule as Tick

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger()


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
    manager = SchedulerManager(Queries(AsyncpgPoolDriver(pool)))
    for schedule in schedules:
        manager.schedule(schedule.name, schedule.cron)(_running(schedule))
    await manager.run()


def _running(schedule: Schedule) -> Callable[[Tick], Awaitable[None]]:
    async def run(_tick: Tick) -> None:
        try:
            await schedule.function()
        except Exception:
            log.exception("schedule_failed", name=schedule.name)

    return run
