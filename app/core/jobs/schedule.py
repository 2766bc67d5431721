"""Running functions at fixed times, each in only one of the server's processes."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

import structlog
from croniter import croniter
from pgqueuer import AsyncpgPoolDriver, Queries, SchedulerManager
from pgqueuer.executors import AbstractScheduleExecutor, ScheduleExecutor
from pgqueuer.models import CronExpressionEntrypoint
from pgqueuer.models import Schedule as Tick
from sqlalchemy import ARRAY, String, any_, bindparam, case, literal, select

from app.core.database.statements import DirectStatement, with_constants
from app.core.feature import Schedule
from app.core.realtime.server_time import ServerTime

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger()

_STOP_WITHIN = 3.0  # seconds, after which functions that still run are cancelled
_ALMOST = timedelta(seconds=0.5)
_now = partial(datetime.now, UTC)  # PgQueuer compares with this process's clock

_BRING_BACK = """
WITH away AS (
    SELECT id, until_next
    FROM pgqueuer_schedules
    JOIN unnest($1::text[], $2::text[], $3::interval[], $4::interval[])
        AS known (name, cron, until_next, period) ON (entrypoint, expression) = (name, cron)
    WHERE next_run > now() + period
    FOR UPDATE OF pgqueuer_schedules SKIP LOCKED
)
UPDATE pgqueuer_schedules
SET next_run = date_trunc('seconds', now() + until_next), heartbeat = least(heartbeat, now())
FROM away WHERE pgqueuer_schedules.id = away.id
RETURNING entrypoint
"""

# Servers of two versions may run at the same time.
_FORGET = """
DELETE FROM pgqueuer_schedules
WHERE entrypoint <> ALL($1::text[]) AND greatest(heartbeat, next_run) < now() - interval '7 days'
"""


async def run_schedules(
    pool: "asyncpg.Pool[asyncpg.Record]", schedules: list[Schedule], time: ServerTime
) -> None:
    """Run each function whenever it is due, until cancelled.

    The processes agree through PgQueuer's table of schedules. A function runs at most 2 s late; if its
    process dies, another one runs it after 30 s. An exception is logged, too long a run is one, and the
    function runs again at its next time. If PostgreSQL's clock is set back, functions run no later than they
    would without that. None begins while this process may not know of a downtime, which puts off what is
    due: what was claimed before waits for that. What the table has of functions that no process has run for
    a week is deleted.
    """
    await pool.execute(_FORGET, [schedule.name for schedule in schedules])
    manager = _Manager(_Queries(pool, schedules, time))
    running: set[asyncio.Task[Any]] = set()
    for schedule in schedules:
        manager.schedule(schedule.name, schedule.cron, _Executor)(_noting(schedule, running, time))
    managing = asyncio.create_task(manager.run())
    try:
        await asyncio.shield(managing)
    finally:
        # The manager waits for the functions that run, however long they take.
        manager.shutdown.set()
        await asyncio.wait({managing}, timeout=_STOP_WITHIN)
        for task in running:
            task.cancel()
        await managing


def _noting(
    schedule: Schedule, running: set[asyncio.Task[Any]], time: ServerTime
) -> Callable[[Tick], Awaitable[None]]:
    """Return a function that runs a schedule's function and is in a set of tasks meanwhile."""

    async def run(_tick: Tick) -> None:
        task = asyncio.current_task()
        assert task is not None
        running.add(task)
        try:
            # The server may have stood still since this run was claimed.
            while time.is_stale:  # noqa: ASYNC110 - it becomes so as time passes, without an event
                await asyncio.sleep(1)
            async with asyncio.timeout(schedule.within):
                await schedule.function()
        except Exception:
            log.exception("schedule_failed", name=schedule.name)
        finally:
            running.discard(task)

    return run


class _Manager(SchedulerManager):
    """PgQueuer's manager, for which a run that it cannot note as done is one line in the log.

    The table says that the schedule is running, so another process takes it over.
    """

    async def dispatch(self, executor: AbstractScheduleExecutor, schedule: Tick) -> None:
        try:
            await super().dispatch(executor, schedule)
        except Exception as error:  # noqa: BLE001 - its function raises nothing: what fails is PgQueuer's statement
            log.warning("schedule_not_released", name=schedule.entrypoint, error=repr(error))


class _Executor(ScheduleExecutor):
    """PgQueuer's executor, which reads its cron expression once, and evaluates it once for each run.

    It is asked all the time, and reading the expression takes longer than anything else that it does.

    A time that has almost come is that of the run which begins now: PgQueuer adds the rest of the time to
    PostgreSQL's clock, which has reached it by then, and the function would run again at once.
    """

    _asked_at = _next = datetime.max.replace(tzinfo=UTC)

    @cached_property
    def _times(self) -> croniter:
        return croniter(self.parameters.expression)

    def get_next(self) -> datetime:
        after = _now() + _ALMOST
        if not self._asked_at <= after < self._next:  # or this process's clock was set back
            self._next = self._times.get_next(datetime, start_time=after)
        self._asked_at = after
        return self._next


class _Queries(Queries):
    """PgQueuer's queries, which also find the schedules that a clock put off when it was set back.

    Those that are due and have nothing to do are noted as done: most are, at most times.
    """

    def __init__(
        self, pool: "asyncpg.Pool[asyncpg.Record]", schedules: Iterable[Schedule], time: ServerTime
    ) -> None:
        super().__init__(AsyncpgPoolDriver(pool))
        self._pool = pool
        self._time = time
        with_condition = [schedule for schedule in schedules if schedule.has_work is not None]
        self._with_condition = frozenset(schedule.name for schedule in with_condition)
        self._have_work = _have_work(with_condition)

    async def fetch_schedule(self, entrypoints: dict[CronExpressionEntrypoint, timedelta]) -> list[Tick]:
        if self._time.is_stale:
            return []
        await self._bring_back(entrypoints)
        due = await super().fetch_schedule(entrypoints)
        asked = self._with_condition.intersection(tick.entrypoint for tick in due)
        if not asked:
            return due
        try:
            answers = await self._have_work.row(self._pool, names=list(asked))
            idle = {name for name in asked if answers and answers[name] is False}
            if idle:
                await self.set_schedule_queued({tick.id for tick in due if tick.entrypoint in idle})
        except Exception as error:  # noqa: BLE001 - what is due is claimed, and finds out by itself
            log.warning("schedules_without_work_not_known", error=repr(error))
            return due
        return [tick for tick in due if tick.entrypoint not in idle]

    async def _bring_back(self, entrypoints: dict[CronExpressionEntrypoint, timedelta]) -> None:
        brought_back = await self.driver.fetch(
            _BRING_BACK,
            [each.entrypoint for each in entrypoints],
            [each.expression for each in entrypoints],
            list(entrypoints.values()),
            [_period(each.expression) for each in entrypoints],
        )
        if brought_back:
            log.warning("schedules_brought_back", names=[row["entrypoint"] for row in brought_back])


def _have_work(schedules: Iterable[Schedule]) -> DirectStatement:
    """Return a query for a row that says whether schedules of some `names` have work, null for all others."""
    asked = bindparam("names", type_=ARRAY(String))
    answers = (
        case((literal(schedule.name) == any_(asked), schedule.has_work)).label(schedule.name)
        for schedule in schedules
    )
    return DirectStatement(with_constants(select(*answers)))


@cache
def _period(cron: str) -> timedelta:
    """Return the time from one run to the next one, and as much more as that can be put off."""
    times = croniter(cron, ret_type=datetime)
    first = times.get_next()
    return times.get_next() - first + _ALMOST
