"""The supervisor of long-lived tasks: whatever they raise, they run again."""

import asyncio

import asyncpg
import pytest
from structlog.testing import CapturingLogger

from app.core.supervisor import Engine, Supervisor


class Database:
    def __init__(self):
        self.is_there = True

    async def answers(self):
        return self.is_there


@pytest.fixture
def database():
    return Database()


@pytest.fixture
async def supervise(database):
    """Return a function that makes supervisors, which stop after the test."""
    supervisors = []

    def start(give_up=pytest.fail, **options):
        supervisors.append(Supervisor(database.answers, give_up, **options))
        return supervisors[-1]

    yield start
    for supervisor in supervisors:
        await supervisor.stop()


class Task:
    """A task that fails as often as it is told, and then runs."""

    def __init__(self, *errors):
        self.errors = list(errors)
        self.is_running = asyncio.Event()

    async def run(self):
        if self.errors:
            raise self.errors.pop(0)
        self.is_running.set()
        await asyncio.Event().wait()


async def test_a_task_runs_again_whatever_it_raises(supervise):
    supervisor = supervise()
    task = Task(OSError("lost"), ZeroDivisionError(), KeyError("bug"))
    supervisor.keep("task", task.run)
    async with asyncio.timeout(10):
        await task.is_running.wait()
    assert supervisor.failing == {"task"}  # until it has run for a moment
    async with asyncio.timeout(10):
        while supervisor.failing:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_a_task_that_returns_runs_again(supervise):
    runs = asyncio.Semaphore(0)

    async def run():
        runs.release()

    supervise().keep("task", run)
    async with asyncio.timeout(10):
        for _ in range(3):
            await runs.acquire()


async def test_tasks_wait_for_the_database(supervise, database):
    database.is_there = False
    task = Task(OSError("no database"))
    supervisor = supervise(give_up_after=0)
    supervisor.keep("task", task.run)
    for _ in range(20):
        await asyncio.sleep(0.01)
    assert supervisor.failing == {"task"}
    assert not task.is_running.is_set()
    database.is_there = True
    async with asyncio.timeout(10):
        await task.is_running.wait()


async def test_an_outage_is_logged_once_with_its_reason(supervise, database, monkeypatch):
    log = CapturingLogger()
    monkeypatch.setattr("app.core.supervisor.log", log)
    database.is_there = False
    tasks = [Task(OSError(f"wrong password {number}")) for number in range(2)]
    supervisor = supervise()
    for number, task in enumerate(tasks):
        supervisor.keep(f"task {number}", task.run)
    await asyncio.sleep(0.1)
    database.is_there = True
    async with asyncio.timeout(10):
        for task in tasks:
            await task.is_running.wait()
    outages = [call.kwargs["error"] for call in log.calls if call.args == ("database_unavailable",)]
    assert outages == ["OSError('wrong password 0')"]


async def test_a_task_that_keeps_failing_although_the_database_answers_ends_the_process(supervise):
    gave_up = asyncio.Event()
    supervise(gave_up.set, give_up_after=0.2).keep("task", Task(*[ValueError("bug")] * 100).run)
    async with asyncio.timeout(10):
        await gave_up.wait()


async def test_a_task_waits_for_what_the_database_cannot_do_at_the_moment(supervise):
    task = Task(*[asyncpg.DiskFullError("no space")] * 5)
    supervise(give_up_after=0).keep("task", task.run)
    async with asyncio.timeout(60):
        await task.is_running.wait()


async def test_stopping_ends_a_task_that_answers_its_cancellation_with_an_error(supervise):
    started = asyncio.Event()

    async def run():
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            raise OSError("the connection broke as it was closed")

    supervisor = supervise()
    supervisor.keep("task", run)
    await started.wait()
    async with asyncio.timeout(10):
        await supervisor.stop()


async def test_a_task_runs_again_although_looking_for_its_engine_fails(supervise):
    async def answers():
        raise LookupError("a bug")

    task = Task(OSError("lost"), OSError("lost"))
    supervise().keep("task", task.run, Engine("other", answers))
    async with asyncio.timeout(10):
        await task.is_running.wait()
