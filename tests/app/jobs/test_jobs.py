"""The queue of work on a real PostgreSQL: claimed once, taken over from the dead, tried again, dropped."""

import asyncio
import uuid

import pytest

from app.bots import work
from app.events import JOBS, JobAdded
from app.games import creation
from app.identity import service as accounts
from app.jobs.queue import MOVE, BusyError, FailedError, Queue
from app.jobs.worker import Worker as JobWorker
from app.moments import now
from app.realtime.bus import MemoryBus
from engine.jadejack import JADEJACK
from engine.search import computer
from tests.support.players import fresh_name
from tests.support.workers import workers


@pytest.fixture
async def pair(database_url):
    """Give two processes of the server with a queue each, and nothing in it."""
    async with workers(database_url, 2) as found:
        await found[0].database.pool.execute("DELETE FROM jobs")
        for one in found:
            one.queue = Queue(one.database.pool, MemoryBus(one.hub), one.hub)
        yield found


async def against_computer(process, level=1, *, computer_begins=True, game="jadejack", options=None):
    """Start a game against the computer of a level; gives its state and the account of its opponent."""
    from app.identity.models import Account

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


async def test_a_game_asks_for_its_computers_moves_and_for_no_others(pair):
    here, _ = pair
    state, person = await against_computer(here)
    job = await here.queue.claim(5)
    assert (job.kind, job.payload["game_id"], job.attempts) == (MOVE, state.id, 1)
    result = await work.make_move(here.games, job)
    await here.queue.finish(job, result)
    state = await here.games.get(state.id)
    assert [played.move for played in state.moves] == [result["played"]]
    assert await here.queue.claim(5) is None  # it is the person's turn
    await move(here, state, person, state.legal_moves[0])
    assert (await here.queue.claim(5)).payload["game_id"] == state.id


async def test_a_person_who_begins_is_waited_for(pair):
    here, _ = pair
    await against_computer(here, computer_begins=False)
    assert await here.queue.claim(5) is None


async def test_of_two_who_claim_one_gets_it(pair):
    here, _ = pair
    for _ in range(10):
        await against_computer(here)
    claimed = await asyncio.gather(*(process.queue.claim(5) for process in pair for _ in range(10)))
    keys = [job.key for job in claimed if job]
    assert len(keys) == len(set(keys)) == 10


async def test_the_work_of_a_dead_worker_is_taken_over_and_played_once(pair):
    here, there = pair
    state, _ = await against_computer(here)
    dead = await here.queue.claim(0.05)
    assert await there.queue.claim(5) is None
    await asyncio.sleep(0.1)
    taken = await there.queue.claim(5)
    assert (taken.key, taken.attempts) == (dead.key, 2)
    assert "played" in await work.make_move(there.games, taken)
    # The dead one was only slow: what it does now comes too late.
    assert await work.make_move(here.games, dead) == {"dropped": "it is not the computer's turn"}
    assert (await here.games.get(state.id)).ply == 1


async def test_a_choice_for_a_position_that_is_gone_is_dropped(pair, monkeypatch):
    here, there = pair
    state, person = await against_computer(here, computer_begins=False)
    state = await move(here, state, person, "c4")
    job = await here.queue.claim(5)
    seen = await here.games.get(state.id)
    # Meanwhile the move is taken back, and another one made.
    back = await there.games.take_back(state.id, person, at=now())
    assert (back.ply, back.takeback) == (0, None)  # the computer grants it at once
    after = await move(there, back, person, "f6")
    assert await here.games.play_for_computer(seen, "g6", at=now()) is None
    assert [played.move for played in (await here.games.get(state.id)).moves] == ["f6"]
    # Either job makes the one move that is due, and the other finds nothing to do.
    other = await here.queue.claim(5)
    results = [await work.make_move(here.games, one) for one in (job, other)]
    assert ["played" in result for result in results] == [True, False]
    assert (await here.games.get(after.id)).ply == 2


async def test_both_at_once_play_one_move(pair):
    here, _ = pair
    state, _ = await against_computer(here)
    job = await here.queue.claim(5)
    results = await asyncio.gather(*(work.make_move(process.games, job) for process in pair))
    assert sorted("played" in result for result in results) == [False, True]
    assert (await here.games.get(state.id)).ply == 1


async def test_a_game_that_is_over_or_gone_asks_for_nothing(pair):
    here, _ = pair
    state, person = await against_computer(here)
    job = await here.queue.claim(5)
    await here.games.resign(state.id, person, at=now())
    assert "dropped" in await work.make_move(here.games, job)
    assert await here.queue.claim(5) is None
    await here.database.pool.execute(
        'UPDATE jobs SET payload = \'{"game_id": "nosuchgame"}\', claimable_at = now()'
    )
    assert await work.make_move(here.games, await here.queue.claim(5)) == {"dropped": "no such game"}


_WAITING = "SELECT count(*) FROM jobs WHERE done_at IS NULL"


async def until_empty(process, handlers):
    """Let a worker work until nothing is left to do."""
    worker = asyncio.create_task(JobWorker(process.queue, process.hub, handlers).run())
    async with asyncio.timeout(20):
        left = 1
        while left:
            await asyncio.sleep(0.02)
            left = await process.database.pool.fetchval("SELECT count(*) FROM jobs WHERE done_at IS NULL")
    process.hub.close()
    await worker


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
    await until_empty(here, {MOVE: lambda job: work.make_move(here.games, job)})
    state = await here.games.get(state.id)
    assert (len(tried), state.ply) == (2, 1)
    assert state.moves[0].move in JADEJACK.legal_moves(JADEJACK.initial({"size": 8}))
    printed = capsys.readouterr()
    told = printed.out + printed.err + caplog.text  # as logs are set up by then, or not yet
    assert "job_failed" in told
    assert "computer_plays_plainly" in told


async def test_what_kills_every_worker_is_given_up(pair):
    here, _ = pair
    asked = asyncio.create_task(here.queue.ask("deadly", "deadly:1", {}, within=10))
    await asyncio.sleep(0.05)
    for _ in range(5):
        assert await here.queue.claim(0) is not None

    async def never(_job):
        raise AssertionError("it was tried once more")

    await until_empty(here, {"deadly": never})
    with pytest.raises(FailedError, match="could not work this out"):
        await asked


async def test_work_that_nobody_knows_is_refused(pair):
    here, _ = pair
    asked = asyncio.create_task(here.queue.ask("juggling", "juggling:1", {}, within=10))
    await asyncio.sleep(0.05)
    await until_empty(here, {})
    with pytest.raises(FailedError, match="cannot do that"):
        await asked


async def test_asking_twice_makes_one_job_and_nobody_there_is_said(pair):
    here, there = pair
    with here.hub.subscribe(JOBS) as subscription:
        for process in pair:
            with pytest.raises(BusyError):
                await process.queue.ask("think", "think:1", {"a": 1}, within=0.05)
        assert await subscription.get() == JobAdded()
    job = await here.queue.claim(5)
    assert (job.payload, await here.queue.claim(5)) == ({"a": 1}, None)
    await here.queue.finish(job, {"found": 7})
    assert await there.queue.ask("think", "think:1", {"a": 1}, within=0) == {"found": 7}
    await here.queue.forget(older_than=0)
    with pytest.raises(BusyError):
        await there.queue.ask("think", "think:1", {"a": 1}, within=0)


async def test_a_whole_game_between_computers_is_played_by_two_workers(pair):
    here, _ = pair
    async with here.database.transaction() as session:
        players = [one.id for one in (await accounts.computers(session))[:2]]
        game_id = await creation.create(session, "jumping_farther", {"size": 4, "rounds": 2}, players)
    handlers = [{MOVE: lambda job, games=process.games: work.make_move(games, job)} for process in pair]
    await asyncio.gather(*(until_empty(process, one) for process, one in zip(pair, handlers, strict=True)))
    state = await here.games.get(game_id)
    assert state.is_played_out
    assert all(played.move_id is not None for played in state.moves)
