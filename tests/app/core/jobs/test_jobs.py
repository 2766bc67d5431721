"""Background jobs on a real PostgreSQL: done once, taken over from dead workers, retried, given up."""

import asyncio
import contextlib
import os
import re
import subprocess
import sys
import uuid
from datetime import timedelta

import pytest
from msgspec import json
from pgqueuer import Queries
from pgqueuer.ports.repository import EntrypointExecutionParameter

from app.core.jobs.events import JOBS, JobAdded
from app.core.jobs.queue import (
    COMPUTER_MOVE,
    MOST_ASKED,
    Asker,
    BusyError,
    FailedError,
    Priority,
    Queue,
    TooManyJobsError,
)
from app.core.jobs.watch import SILENT_AFTER, WorkerWatch
from app.core.jobs.worker import Job
from app.core.jobs.worker import Worker as JobWorker
from app.core.moments import now
from app.people.identity import service as accounts
from app.play.bots import work
from app.play.bots.late import plain_move, request_late_moves
from app.play.games import creation
from app.play.games.decisions import Command
from engine.jadejack import JADEJACK
from engine.search import computer
from tests.support.database import fetch
from tests.support.players import fresh_name
from tests.support.threads import run_coroutine
from tests.support.waiting import WITHIN, wait_until
from tests.support.web_processes import web_processes

pytestmark = pytest.mark.usefixtures("compiled_searches")


async def present():
    return False


async def gone():
    return True


ASKER = Asker("account:1", present)


@pytest.fixture(scope="module")
def jobs_url(new_database):
    """Return the URL of a database of its own: a server looks for puzzles when no job waits."""
    return new_database("jobs")


@pytest.fixture
async def pair(jobs_url):
    """Two processes of the server with a queue each, and no jobs."""
    async with web_processes(jobs_url, 2) as processes:
        for table in ("pgqueuer", "pgqueuer_log", "job_results"):
            await processes[0].database.pool.execute(f"DELETE FROM {table}")
        for process in processes:
            process.queue = process.parts.get(Queue)
        yield processes


async def against_computer(process, level=1, *, computer_begins=True, game="jadejack", options=None):
    """Start a game against the computer of a level; return its state and its opponent's account."""
    from app.people.identity.models import Account

    async with process.database.transaction() as session:
        person = Account(username=fresh_name(), password_hash="none")
        session.add(person)
        opponent = (await accounts.computers(session))[level - 1]
        await session.flush()
        players = [opponent.id, person.id] if computer_begins else [person.id, opponent.id]
        game_id = await creation.create(session, game, options or {"size": 8}, players)
    return await process.games.get(game_id), person.id


async def move(process, state, account_id, text):
    return await process.games.play_move(state.id, account_id, text, state.ply, uuid.uuid4(), at=now())


async def waiting(process):
    """Return the kind and payload of each unfinished job, the oldest first."""
    rows = await process.database.pool.fetch("SELECT entrypoint, payload FROM pgqueuer ORDER BY id")
    return [(row["entrypoint"], json.decode(row["payload"])) for row in rows]


async def until_waiting(process, count):
    while len(await waiting(process)) != count:  # noqa: ASYNC110 - the table sends no event
        await asyncio.sleep(0.02)


async def claim(process, kind, lease):
    """Claim a job like a worker that then dies."""
    queries = Queries.from_asyncpg_pool(process.database.pool)
    return await queries.dequeue(
        1, {kind: EntrypointExecutionParameter(0)}, uuid.uuid4(), None, timedelta(seconds=lease)
    )


def job_for(state, attempts=1):
    return Job({"game_id": state.id}, attempts)


async def do_all(process, handlers, **options):
    """Run a worker until no job is left."""
    worker = JobWorker(process.database.pool, process.queue, process.hub, handlers, **options)
    running = asyncio.create_task(worker.run())
    emptied = asyncio.create_task(until_waiting(process, 0))
    async with asyncio.timeout(WITHIN):
        await asyncio.wait({running, emptied}, return_when=asyncio.FIRST_COMPLETED)
    worker.stop()
    await running  # raises the error of a worker that could not go on
    await emptied


def make_move(job, process):
    return work.make_move(job, process.games, process.database)


def computer_of(process):
    return {COMPUTER_MOVE: lambda job: make_move(job, process)}


async def test_a_game_asks_for_its_computers_moves_and_for_no_others(pair):
    here, _ = pair
    state, person = await against_computer(here)
    assert await waiting(here) == [(COMPUTER_MOVE, {"game_id": state.id})]
    await do_all(here, computer_of(here))
    state = await here.games.get(state.id)
    assert state.ply == 1  # it is the person's turn
    await move(here, state, person, state.legal_moves[0])
    assert await waiting(here) == [(COMPUTER_MOVE, {"game_id": state.id})]


async def test_no_job_is_added_while_a_person_is_to_move(pair):
    here, _ = pair
    await against_computer(here, computer_begins=False)
    assert await waiting(here) == []


async def test_each_job_is_done_by_one_worker(pair):
    here, there = pair
    games = [(await against_computer(here))[0].id for _ in range(10)]
    done = []

    async def do(job):
        done.append(job.payload["game_id"])
        await asyncio.sleep(0.01)
        return {}

    await asyncio.gather(*(do_all(process, {COMPUTER_MOVE: do}) for process in (here, there)))
    assert sorted(done) == sorted(games)


async def test_a_worker_does_one_job_at_a_time_and_moves_first(pair):
    here, _ = pair
    asked = [
        asyncio.create_task(here.queue.ask("other", f"other:{number}", {}, asker=ASKER, within=WITHIN))
        for number in range(MOST_ASKED)
    ]
    await until_waiting(here, MOST_ASKED)
    await against_computer(here)
    order, running = [], []

    def handler(kind):
        async def do(_job):
            order.append(kind)
            running.append(kind)
            assert len(running) == 1
            await asyncio.sleep(0.05)
            running.pop()
            return {}

        return do

    await do_all(here, {"other": handler("other"), COMPUTER_MOVE: handler("move")})
    assert order == ["move", *["other"] * MOST_ASKED]
    assert await asyncio.gather(*asked) == [{}] * MOST_ASKED


async def test_the_job_of_a_dead_worker_is_taken_over_and_played_once(pair):
    here, there = pair
    state, _ = await against_computer(here)
    assert await claim(here, COMPUTER_MOVE, 5)
    assert not await claim(there, COMPUTER_MOVE, 5)
    attempts = []

    async def make_late_move(job):
        attempts.append(job.attempts)
        return await make_move(job, there)

    await do_all(there, {COMPUTER_MOVE: make_late_move}, lease=0.2)
    assert attempts == [2]
    # The dead worker was only slow: its move comes too late.
    assert await make_move(job_for(state), here) == {"dropped": "it is not the computer's turn"}
    assert (await here.games.get(state.id)).ply == 1


async def test_a_choice_for_a_position_that_is_gone_is_dropped(pair):
    here, there = pair
    state, person = await against_computer(here, computer_begins=False)
    state = await move(here, state, person, "c4")
    seen = await here.games.get(state.id)
    # Meanwhile the move is taken back and another one is played.
    back = await there.games.command(Command.TAKEBACK, state.id, person, at=now())
    assert (back.ply, back.takeback) == (0, None)  # the computer grants it at once
    after = await move(there, back, person, "f6")
    assert await here.games.play_for_computer(seen, "g6", at=now()) is None
    assert [played.move for played in (await here.games.get(state.id)).moves] == ["f6"]
    # Either job makes the one move that is due, and the other finds nothing to do.
    assert len(await waiting(here)) == 2
    results = [await make_move(job_for(state), here) for _ in range(2)]
    assert ["played" in result for result in results] == [True, False]
    assert (await here.games.get(after.id)).ply == 2


async def test_two_workers_at_once_play_one_move(pair):
    here, _ = pair
    state, _ = await against_computer(here)
    results = await asyncio.gather(*(make_move(job_for(state), process) for process in pair))
    assert sorted("played" in result for result in results) == [False, True]
    assert (await here.games.get(state.id)).ply == 1


async def test_a_game_that_is_over_or_gone_gets_no_move(pair):
    here, _ = pair
    state, person = await against_computer(here)
    await here.games.command(Command.RESIGN, state.id, person, at=now())
    assert "dropped" in await make_move(job_for(state), here)
    assert len(await waiting(here)) == 1  # no further job
    gone = Job({"game_id": "nosuchgame"}, 1)
    assert await make_move(gone, here) == {"dropped": "no such game"}


async def test_a_search_that_crashes_is_tried_again_and_then_a_simpler_player_moves(
    pair, monkeypatch, capsys, caplog
):
    here, _ = pair
    state, _ = await against_computer(here, level=8)
    tried = []

    def crash(*_, **__):
        tried.append(1)
        raise ZeroDivisionError("the search broke")

    monkeypatch.setattr(computer, "choose", crash)
    await do_all(here, computer_of(here))
    state = await here.games.get(state.id)
    assert (len(tried), state.ply) == (2, 1)
    assert state.moves[0].move in JADEJACK.legal_moves(JADEJACK.initial({"size": 8}))
    printed = capsys.readouterr()
    logged = printed.out + printed.err + caplog.text  # whether or not logs have been configured by then
    assert "job_failed" in logged
    assert "computer_plays_plainly" in logged


async def test_a_job_that_kills_every_worker_is_given_up(pair):
    here, _ = pair
    asked = asyncio.create_task(here.queue.ask("deadly", "deadly:1", {}, asker=ASKER, within=WITHIN))
    await until_waiting(here, 1)
    for _ in range(5):
        assert await claim(here, "deadly", 0)

    async def never(_job):
        raise AssertionError("it was tried once more")

    await do_all(here, {"deadly": never}, lease=0.2)
    with pytest.raises(FailedError, match="could not work this out"):
        await asked


async def test_a_computers_move_is_never_given_up(pair):
    here, _ = pair
    state, _ = await against_computer(here, level=8)
    for _ in range(7):
        assert await claim(here, COMPUTER_MOVE, 0)
    await do_all(here, computer_of(here), lease=0.2)
    assert (await here.games.get(state.id)).ply == 1


async def late(process, game_id):
    """Make a game wait for its computer for two minutes, and look for late moves."""
    await process.database.pool.execute(
        "UPDATE games SET updated_at = updated_at - interval '2 minutes' WHERE id = $1", game_id
    )
    await request_late_moves(process.database, process.bus, process.games)


async def test_a_late_move_that_no_job_stands_for_is_asked_for_again(pair):
    here, _ = pair
    state, _ = await against_computer(here)
    others, _ = await against_computer(here, computer_begins=False)
    await here.database.pool.execute("DELETE FROM pgqueuer")
    await request_late_moves(here.database, here.bus, here.games)
    assert await waiting(here) == []
    await late(here, others.id)
    await late(here, state.id)
    await late(here, state.id)
    assert await waiting(here) == [(COMPUTER_MOVE, {"game_id": state.id})]


async def test_a_late_move_that_no_worker_survives_is_made_without_one(pair):
    here, _ = pair
    state, _ = await against_computer(here)
    for _ in range(6):
        assert await claim(here, COMPUTER_MOVE, 0)
    await late(here, state.id)
    played = (await here.games.get(state.id)).moves
    assert [ply.move for ply in played] == [plain_move(state)]


async def test_a_game_that_cannot_be_read_costs_no_other_game_its_move(pair):
    here, _ = pair
    bad, _ = await against_computer(here)
    good, _ = await against_computer(here)
    await here.database.pool.execute(
        "UPDATE games SET position = 'damaged', version = version + 1 WHERE id = $1", bad.id
    )
    await do_all(here, computer_of(here))
    assert (await here.games.get(good.id)).ply == 1
    await late(here, bad.id)


async def test_workers_are_silent_when_nobody_does_a_job_that_somebody_waits_for(pair, clock):
    here, _ = pair
    watch = here.parts.get(WorkerWatch)

    async def degraded():
        await watch.look()
        return watch.degraded

    await here.queue.add("puzzles", {"puzzles:1": {}}, priority=Priority.LATER)  # nobody waits for it
    clock.advance_during_downtime(seconds=SILENT_AFTER + 1)
    assert await degraded() == frozenset()
    await against_computer(here)
    assert await degraded() == frozenset()
    clock.advance_during_downtime(seconds=SILENT_AFTER + 1)
    assert await degraded() == {"computers"}
    assert await claim(here, "puzzles", SILENT_AFTER)  # some worker is busy
    assert await degraded() == frozenset()


@pytest.mark.parametrize(
    "hang",
    ["import time; time.sleep(1000)", "import re; re.fullmatch('(a|a)*b', 'a' * 60)"],
    ids=["in a thread", "with the interpreter"],
)
def test_a_worker_whose_search_never_ends_ends_itself(jobs_url, hang, tmp_path):
    code = f"""
import asyncio
from app.core import pulse
from app.core.jobs import worker as jobs
from app.core.settings import Settings
from engine.search import computer

def hang(*_, **__):
    {hang}

pulse.HANGS_AFTER = jobs._LONGEST_MOVE = 3
computer.choose, computer.get_ready = hang, lambda _: None
from app.server.worker import run
asyncio.run(run(Settings()))
"""

    run_coroutine(begin_against_computer(jobs_url))
    environment = {**os.environ, "GORRION_DATABASE_URL": jobs_url, "GORRION_BUS": "postgres"}
    with (tmp_path / "log").open("w") as log:
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, stderr=log, check=False, timeout=WITHIN
        )
    assert done.returncode == 1
    assert re.search("job_hangs|Timeout", (tmp_path / "log").read_text())


def test_a_move_may_wait_until_its_search_is_compiled(jobs_url, tmp_path):
    """Compiling takes longer than any move, and a worker that ended would start it again from nothing."""
    code = """
import asyncio, threading
from app.core.jobs import worker as jobs
from app.core.settings import Settings
from engine.search import computer
from engine.search.levels import BEST

choose, compiled = computer.choose, threading.Event()

def compile_slowly(level):
    if level == BEST:
        threading.Event().wait(4)
        compiled.set()

def wait(*args, **options):
    compiled.wait()
    print("compiled", flush=True)
    return choose(*args, **options)

jobs._LONGEST_MOVE = 1
computer.choose, computer.get_ready = wait, compile_slowly
from app.server.worker import run
asyncio.run(run(Settings()))
"""

    game = run_coroutine(begin_against_computer(jobs_url))
    environment = {**os.environ, "GORRION_DATABASE_URL": jobs_url, "GORRION_BUS": "postgres"}
    with (tmp_path / "log").open("w") as log:
        worker = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=log)
    try:
        wait_until(
            lambda: fetch(jobs_url, "SELECT ply FROM games WHERE id = $1", game)["ply"] or worker.poll()
        )
        assert worker.poll() is None, "it took the move for one that hangs"
    finally:
        worker.kill()
        worker.wait()
    assert "compiled" in (tmp_path / "log").read_text()


async def begin_against_computer(url):
    async with web_processes(url, 1) as (process,):
        await process.database.pool.execute("DELETE FROM pgqueuer")
        state, _ = await against_computer(process)
        return state.id


async def test_a_job_that_always_fails_is_given_up(pair, monkeypatch):
    here, _ = pair
    monkeypatch.setattr("app.core.jobs.worker._RETRY_DELAY", 0.01)
    asked = asyncio.create_task(here.queue.ask("hopeless", "hopeless:1", {}, asker=ASKER, within=WITHIN))
    await until_waiting(here, 1)
    attempts = []

    async def fail(job):
        attempts.append(job.attempts)
        raise RuntimeError("it broke")

    await do_all(here, {"hopeless": fail})
    assert attempts == [1, 2, 3, 4, 5]
    with pytest.raises(FailedError, match="could not work this out"):
        await asked


async def test_two_processes_that_ask_share_one_job_and_its_result(pair):
    here, there = pair
    asked = [
        asyncio.create_task(process.queue.ask("add", "add:1", {"a": 1}, asker=ASKER, within=WITHIN))
        for process in pair
    ]
    await until_waiting(here, 1)
    done = []

    async def add(job):
        done.append(job.payload)
        return {"sum": 7}

    await do_all(here, {"add": add})
    assert await asyncio.gather(*asked) == [{"sum": 7}] * 2
    assert done == [{"a": 1}]
    assert await there.queue.ask("add", "add:1", {"a": 1}, asker=ASKER, within=0) == {"sum": 7}
    await here.queue.delete_old(older_than=0)
    with pytest.raises(BusyError):
        await there.queue.ask("add", "add:1", {"a": 1}, asker=ASKER, within=0)


async def test_without_a_worker_the_computer_is_busy(pair):
    here, _ = pair
    async with here.hub.subscribe(JOBS) as subscription:
        for process in pair:
            with pytest.raises(BusyError):
                await process.queue.ask("add", "add:1", {"a": 1}, asker=ASKER, within=0.05)
        assert await subscription.get() == JobAdded()


async def test_an_asker_waits_for_so_many_results_at_a_time(pair):
    here, _ = pair
    asked = [
        asyncio.create_task(here.queue.ask("other", f"other:{number}", {}, asker=ASKER, within=WITHIN))
        for number in range(MOST_ASKED)
    ]
    await until_waiting(here, MOST_ASKED)
    with pytest.raises(TooManyJobsError):
        await here.queue.ask("other", "other:more", {}, asker=ASKER, within=WITHIN)
    for task in asked:
        task.cancel()


@pytest.mark.parametrize(("is_gone", "within"), [(present, 0), (gone, 10)], ids=["too late", "gone"])
async def test_a_job_that_nobody_waits_for_is_dropped(pair, is_gone, within):
    here, _ = pair
    with pytest.raises(BusyError):
        await here.queue.ask("add", "add:1", {}, asker=Asker("account:1", is_gone), within=within)
    assert await waiting(here) == []


async def test_askers_take_turns(pair):
    here, _ = pair
    other, asked = Asker("account:2", present), []
    for number, asker in enumerate((ASKER, ASKER, other)):
        ask = here.queue.ask("take", f"take:{number}", {"number": number}, asker=asker, within=WITHIN)
        asked.append(asyncio.create_task(ask))
        await until_waiting(here, number + 1)
    order = []

    async def take(job):
        order.append(job.payload["number"])
        return {}

    await do_all(here, {"take": take})
    await asyncio.gather(*asked)
    assert order == [0, 2, 1]


async def test_a_job_that_is_added_as_its_result_is_stored_is_not_done_again(pair):
    here, _ = pair
    asked = asyncio.create_task(here.queue.ask("add", "add:1", {}, asker=ASKER, within=WITHIN))
    await until_waiting(here, 1)
    await here.queue.store_result("add:1", {"sum": 1})

    async def add(_job):
        pytest.fail("The result is stored.")

    await do_all(here, {"add": add})
    assert await asked == {"sum": 1}


async def test_who_asks_for_little_does_not_wait_for_all_that_another_asker_asked_for(pair):
    here, there = pair

    async def ask(process, asker, numbers):
        jobs = {f"add:{asker}:{number}": {"by": asker} for number in numbers}
        async with process.database.transaction() as session:
            await process.queue.add_for(session, asker, "add", jobs)

    for first in range(0, 300, 100):
        await ask(here, "busy", range(first, first + 100))
    with pytest.raises(TooManyJobsError):
        await ask(there, "busy", range(300, 301))
    await ask(there, "modest", range(20))
    await here.queue.add("add", {"add:later": {"by": "nobody"}}, priority=Priority.LATER)
    done = []

    async def add(job):
        done.append(job.payload["by"])
        return {}

    await do_all(here, {"add": add})
    assert done.index("modest") < len(done) / 5
    assert done[:50].count("modest") == 20
    assert (len(done), done[-1]) == (321, "nobody")


async def test_jobs_that_a_transaction_adds_are_there_only_if_it_is_committed(pair):
    here, _ = pair
    with contextlib.suppress(KeyError):
        async with here.database.transaction() as session:
            await here.queue.add_within(session, "add", {"add:1": {}}, priority=Priority.LATER)
            raise KeyError
    assert await here.queue.count_waiting() == {}
    for _ in range(2):
        async with here.database.transaction() as session:
            await here.queue.add_within(session, "add", {"add:1": {}, "add:2": {}}, priority=Priority.LATER)
    assert await here.queue.count_waiting() == {"add": 2}


async def test_what_nobody_waits_for_is_done_after_all_that_somebody_does(pair):
    here, _ = pair
    done = []

    async def add(job):
        done.append(job.payload["name"])
        return {}

    for priority in sorted(Priority):
        await here.queue.add("add", {f"add:{priority.name}": {"name": priority.name}}, priority=priority)
    asked = []
    for n in range(MOST_ASKED):
        job = here.queue.ask("add", f"add:{n}", {"name": n}, asker=ASKER, within=WITHIN)
        asked.append(asyncio.create_task(job))
        await until_waiting(here, len(Priority) + n + 1)
    await do_all(here, {"add": add})
    await asyncio.gather(*asked)
    assert done == [*range(MOST_ASKED), "SOON", "LATER", "IDLE"]


async def test_the_computer_answers_those_first_who_play_fewer_games(pair):
    here, _ = pair
    _, busy = await against_computer(here)
    async with here.database.transaction() as session:
        computer_id = (await accounts.computers(session))[0].id
        for _ in range(2):
            await creation.create(session, "jadejack", {"size": 8}, [computer_id, busy])
    state, _ = await against_computer(here)
    order = []

    async def do(job):
        order.append(job.payload["game_id"])
        return {}

    await do_all(here, {COMPUTER_MOVE: do})
    assert order.index(state.id) == 1


async def test_old_jobs_are_deleted_except_moves(pair):
    here, _ = pair
    state, _ = await against_computer(here)
    asked = asyncio.create_task(here.queue.ask("add", "add:1", {}, asker=ASKER, within=WITHIN))
    await until_waiting(here, 2)
    asked.cancel()  # as in a process that stops
    await here.queue.delete_old(older_than=0)
    assert await waiting(here) == [(COMPUTER_MOVE, {"game_id": state.id})]


async def test_jobs_that_were_added_once_and_for_all_wait_for_a_worker_however_long(pair):
    here, _ = pair
    await here.queue.add("add", {"add:1": {"a": 1}}, priority=Priority.SOON)
    await here.queue.delete_old(older_than=0)
    assert await waiting(here) == [("add", {"a": 1})]


async def test_jobs_do_not_wait_for_a_clock_that_was_set_back(pair):
    here, _ = pair
    state, _ = await against_computer(here)
    await here.database.pool.execute("UPDATE pgqueuer SET execute_after = now() + interval '3 hours'")
    await here.queue.bring_back()
    await do_all(here, computer_of(here))
    assert (await here.games.get(state.id)).ply == 1


async def test_a_whole_game_between_computers_is_played_by_two_workers(pair):
    here, _ = pair
    async with here.database.transaction() as session:
        players = [player.id for player in (await accounts.computers(session))[:2]]
        game_id = await creation.create(session, "jumping_farther", {"size": 4, "rounds": 2}, players)
    await asyncio.gather(*(do_all(process, computer_of(process)) for process in pair))
    state = await here.games.get(game_id)
    assert state.status == "finished"
    assert all(played.move_id is not None for played in state.moves)


async def test_the_tables_are_those_of_pgqueuer_without_its_trigger(pair):
    plan = await Queries.from_asyncpg_pool(pair[0].database.pool).plan_upgrade()
    left = [statement.split()[:6] for statement in plan.statements]
    assert len(left) == 2
    assert all("FUNCTION" in words or "TRIGGER" in words for words in left)
