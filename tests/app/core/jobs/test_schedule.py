"""Schedules on a real PostgreSQL: each function runs once per time, whatever the number of processes."""

import asyncio
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

import pytest
from pgqueuer.executors import ScheduleExecutorFactoryParameters
from sqlalchemy import false, literal_column, make_url, true

from app.core.feature import Schedule
from app.core.jobs import schedule
from app.core.jobs.schedule import run_schedules
from app.core.realtime.server_time import DOWN_AFTER
from tests.support.database import execute
from tests.support.web_processes import web_processes


@pytest.fixture
def punctual_database(postgres_url, new_database):
    """Return the URL of a database with the system's clock, which PgQueuer compares with its process's."""
    url = new_database("schedule")
    # From another database: a connection that is open, and kept, would go on with the clock of tests.
    execute(postgres_url, f'ALTER DATABASE "{make_url(url).database}" RESET search_path')
    return url


_LATER = """
INSERT INTO pgqueuer_schedules (entrypoint, expression, next_run)
VALUES ('test', '* * * * * */1', now() + interval '3 hours')
"""
_NEXT_TIME = "SELECT next_run FROM pgqueuer_schedules WHERE entrypoint = 'test'"


def running(process, schedules):
    """Return a task of a process, which keeps time meanwhile, that runs schedules."""

    async def run():
        timekeeper = process.games.timekeeper
        await timekeeper.beat()
        async with process.keeping_time():
            await run_schedules(process.database.pool, schedules, timekeeper.time)

    return asyncio.create_task(run())


async def test_two_processes_run_a_function_once_per_time_and_survive_errors_and_clocks(punctual_database):
    execute(punctual_database, _LATER)  # as if the clock had been set back since it was planned
    following = []  # for each run, the time of the next one

    async def fail():
        following.append(await processes[0].database.pool.fetchval(_NEXT_TIME))
        raise RuntimeError("it broke")

    async with web_processes(punctual_database, 2) as processes:
        schedules = [Schedule("test", "* * * * * */1", fail)]
        tasks = [running(process, schedules) for process in processes]
        async with asyncio.timeout(60):
            while len(following) < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert all(later > earlier for earlier, later in pairwise(following))


_PLANNED = """
INSERT INTO pgqueuer_schedules (entrypoint, expression, next_run, heartbeat)
SELECT name, '0 0 * * *', now() - interval '1 day' * days, now() - interval '1 day' * days
FROM (VALUES ('test', 8), ('of_before', 8), ('of_another_version', 6)) AS planned (name, days)
"""
_NAMES = "SELECT array_agg(entrypoint ORDER BY entrypoint) FROM pgqueuer_schedules"


async def test_what_no_process_has_run_for_a_week_is_forgotten(punctual_database):
    execute(punctual_database, "DELETE FROM pgqueuer_schedules")
    execute(punctual_database, _PLANNED)
    ran = asyncio.Event()

    async def run():
        ran.set()

    async with web_processes(punctual_database, 1) as (process,):
        task = running(process, [Schedule("test", "0 0 * * *", run)])
        async with asyncio.timeout(60):
            await ran.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert await process.database.pool.fetchval(_NAMES) == ["of_another_version", "test"]


def test_a_time_that_has_almost_come_is_not_the_next_one(monkeypatch):
    executor = schedule._Executor(
        ScheduleExecutorFactoryParameters("test", "* * * * * */1", func=None, clean_old=False)
    )
    for now, following in ((9.4, 10), (9.6, 11), (9.997, 11), (10.003, 11), (3.2, 4)):
        monkeypatch.setattr(schedule, "_now", lambda now=now: datetime.fromtimestamp(now, UTC))
        assert executor.get_next().timestamp() == following


async def test_a_function_that_takes_long_is_cancelled_when_the_process_stops(punctual_database, monkeypatch):
    monkeypatch.setattr("app.core.jobs.schedule._STOP_WITHIN", 0.1)
    events = asyncio.Queue()

    async def work_for_ever():
        await events.put("begun")
        try:
            await asyncio.Event().wait()
        finally:
            await events.put("ended")

    schedules = [Schedule("endless", "* * * * * */1", work_for_ever)]
    async with web_processes(punctual_database, 1) as [process], asyncio.timeout(60):
        for _ in range(2):  # the second time as another process, which need not wait for the first one
            task = running(process, schedules)
            assert await events.get() == "begun"
            task.cancel()
            assert await events.get() == "ended"
            await asyncio.gather(task, return_exceptions=True)


async def test_a_run_that_does_not_end_in_time_is_cancelled_and_comes_again(punctual_database):
    begun = asyncio.Queue()

    async def wait_for_ever():
        await begun.put(asyncio.current_task())
        await asyncio.Event().wait()

    schedules = [Schedule("endless", "* * * * * */1", wait_for_ever, within=0.1)]
    async with web_processes(punctual_database, 1) as [process], asyncio.timeout(60):
        task = running(process, schedules)
        assert await begun.get() is not await begun.get()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_function_runs_only_if_it_has_work(punctual_database):
    ran = asyncio.Queue()
    conditions = {"idle": false(), "busy": true(), "always": None}
    schedules = [
        Schedule(name, "* * * * * */1", partial(ran.put, name), has_work=has_work)
        for name, has_work in conditions.items()
    ]
    async with web_processes(punctual_database, 1) as [process], asyncio.timeout(60):
        task = running(process, schedules)
        names = {await ran.get() for _ in range(4)}
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert names == {"busy", "always"}


async def test_a_condition_that_fails_stops_no_schedule(punctual_database):
    ran = asyncio.Queue()
    conditions = {"failing": literal_column("1 / (SELECT 0) = 1"), "idle": false(), "always": None}
    schedules = [
        Schedule(name, "* * * * * */1", partial(ran.put, name), has_work=has_work)
        for name, has_work in conditions.items()
    ]
    async with web_processes(punctual_database, 1) as [process], asyncio.timeout(60):
        task = running(process, schedules)
        names = [await ran.get() for _ in range(9)]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    assert {"failing", "always"} <= set(names)
    assert names.count("always") > 1


async def test_nothing_runs_before_a_downtime_is_known(punctual_database):
    ran = asyncio.Event()

    async def run():
        ran.set()

    async with web_processes(punctual_database, 1) as [process], asyncio.timeout(60):
        schedules, time = [Schedule("known", "* * * * * */1", run)], process.games.timekeeper.time
        task = asyncio.create_task(run_schedules(process.database.pool, schedules, time))
        await asyncio.sleep(4)
        assert not ran.is_set()
        async with process.keeping_time():
            await ran.wait()
        await asyncio.sleep(DOWN_AFTER / 1000 + 1)
        ran.clear()
        await asyncio.sleep(2)
        assert not ran.is_set()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_claimed_run_waits_until_a_downtime_is_known():
    ran, time = asyncio.Event(), SimpleNamespace(is_stale=True)

    async def work():
        ran.set()

    begun = asyncio.create_task(schedule._noting(Schedule("known", "* * * * *", work), set(), time)(None))
    await asyncio.sleep(0.1)
    assert not ran.is_set()
    time.is_stale = False
    await begun
    assert ran.is_set()
