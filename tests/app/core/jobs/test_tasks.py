"""Jobs that schedules add store what they make, so that the next look of the schedule asks for nothing."""

import asyncio

import pytest

from app.core.jobs.queue import Queue
from app.core.jobs.worker import Worker
from app.learn.puzzles.collection import search_next_game
from app.nugget.daily import service as nugget_days
from app.nugget.daily.models import NuggetDay
from app.nugget.daily.service import Daily
from app.play.days.days import today
from app.play.solo_days import service as solo_days
from app.server.worker import JOBS
from app.site.dumps.service import Dumps
from engine.golden_nugget.board import push, solved
from tests.support.waiting import WITHIN
from tests.support.web_processes import web_processes

pytestmark = pytest.mark.usefixtures("compiled_searches")

SCHEDULES = (nugget_days.solve_days, solo_days.solve_days, search_next_game, Dumps.begin)

_LEAVE_ONE_GAME = "UPDATE solo_days SET best = '' WHERE game <> (SELECT min(game) FROM solo_days)"


@pytest.fixture
async def site(new_database):
    """A process of a server with the boards of today, on which no job waits."""
    async with web_processes(new_database("tasks"), 1) as (process,):
        for make_days in (nugget_days.make_days, solo_days.make_days):
            await process.parts.bind(make_days)()
        await process.database.pool.execute(_LEAVE_ONE_GAME)  # the computer plays each for seconds
        yield process


async def do_all(process):
    """Run a worker until no job is left."""
    handlers = {kind: process.parts.bind(do, "job") for jobs in JOBS for kind, do in jobs.items()}
    queue = process.parts.get(Queue)
    worker = Worker(process.database.pool, queue, process.hub, handlers)
    running = asyncio.create_task(worker.run())
    async with asyncio.timeout(WITHIN):
        while await process.database.pool.fetchval("SELECT count(*) FROM pgqueuer"):  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    worker.stop()
    await running


@pytest.mark.parametrize("schedule", SCHEDULES)
async def test_what_a_schedule_asked_for_and_workers_did_is_not_asked_for_again(site, schedule):
    await site.parts.bind(schedule)()
    await do_all(site)
    await site.parts.bind(schedule)()
    assert not await site.parts.get(Queue).count_waiting()


async def test_the_computers_solution_of_the_nugget_of_the_day_is_stored(site):
    await site.parts.bind(nugget_days.solve_days)()
    await do_all(site)
    board = (await site.parts.get(Daily).day(today())).board
    async with site.database.reading_now() as session:
        forces = (await session.get_one(NuggetDay, today())).best.split()
    for force in forces:
        board, _move = push(board, force)
    assert solved(board)
