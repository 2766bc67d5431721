"""Flags, deadlines and downtime on several web processes."""

import asyncio
import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import ConflictError
from app.core.moments import from_datetime, now, to_datetime
from app.play.games.decisions import Command
from app.play.games.timekeeper import LATE_MOVE_MARGIN
from engine import counted_time
from engine.clock import Correspondence, Realtime
from engine.game import Termination
from tests.support.database import connected
from tests.support.threads import run_coroutine
from tests.support.waiting import WITHIN

MONDAY = (4 + 7 * 2_900) * 86_400_000
BLITZ = Realtime(60, 0)


async def move(process, state, text, at, *, player=None):
    player = player or state.player_at(state.side_to_move)
    return await process.games.play_move(state.id, player.id, text, state.ply, uuid.uuid4(), at=at)


async def until_over(process, game_id, *, within=WITHIN):
    for _ in range(int(within / 0.01)):
        if (state := await process.games.get(game_id)).result:
            return state
        await asyncio.sleep(0.01)
    raise AssertionError("the game is still running")


async def test_a_clock_is_charged_until_the_server_received_the_move(pair):
    here, there = pair
    state = await here.new_game(control=Realtime(60, 2))
    start = state.clock.since
    state = await move(here, state, "c4", start + 30_000)
    assert state.clock.left == (60_000, 60_000)
    state = await move(there, state, "f6", start + 45_000)
    assert state.clock.left == (60_000, 47_000)
    state = await move(here, state, "d4", start + 46_000)
    assert state.clock.left == (61_000, 47_000)
    assert state.deadline == start + 46_000 + 47_000


@pytest.mark.parametrize("early", [1, 0, -1])
async def test_a_move_before_the_deadline_counts_although_a_process_looks_for_flags(pair, early):
    """A move counts up to a millisecond before the deadline, even if a process looks for flags meanwhile."""
    here, there = pair
    for _ in range(8):
        await here.games.timekeeper.beat()  # so that no clock is credited with downtime
        state = await here.new_game(control=BLITZ)
        state = await move(here, state, "c4", state.clock.since)
        deadline = state.deadline
        late_move = move(there, state, "f6", deadline - early)
        # The other process looks for flags at the same moment, and always `LATE_MOVE_MARGIN` behind.
        flag = here.games.timekeeper.flag(state.id, deadline - early + 1 - LATE_MOVE_MARGIN)
        result, _ = await asyncio.gather(late_move, flag, return_exceptions=True)
        after = await here.games.get(state.id)
        if early > 0:
            assert after.ply == 2
            assert not after.result
        else:
            assert isinstance(result, ConflictError)
            assert result.code == "game_over"
            assert result.state.result.termination is Termination.TIME
            assert after.ply == 1
            assert (after.result.winner, after.result.termination) == ("black", Termination.TIME)
            assert after.clock.left[1] == 0


@pytest.mark.parametrize(("seat", "text"), [(1, "f6"), (1, "no move"), (0, "f6")])
async def test_every_move_after_the_deadline_is_answered_that_the_game_is_over(pair, seat, text):
    here, _ = pair
    state = await here.new_game(control=BLITZ)
    state = await move(here, state, "c4", state.clock.since)
    with pytest.raises(ConflictError) as refusal:
        await move(here, state, text, state.deadline, player=state.players[seat])
    assert refusal.value.code == "game_over"
    assert refusal.value.state.result.termination is Termination.TIME


async def test_a_move_and_a_flag_at_the_same_time_do_not_both_happen(pair):
    here, there = pair
    for _ in range(8):
        await here.games.timekeeper.beat()
        state = await here.new_game(control=BLITZ)
        state = await move(here, state, "c4", state.clock.since)
        await asyncio.gather(
            move(there, state, "f6", state.deadline - 1),
            here.games.timekeeper.flag(state.id, state.deadline),
            return_exceptions=True,
        )
        after = await here.games.get(state.id)
        assert after.version == state.version + 1
        assert (after.ply == 2) != (after.result is not None)


async def test_each_flag_falls_once_although_two_processes_watch(pair, clock):
    here, there = pair
    games = []
    async with here.keeping_time(), there.keeping_time():  # clocks would be credited with a downtime
        for _ in range(10):
            state = await here.new_game(control=BLITZ)
            state = await move(here, state, "c4", now())
            games.append(state)
        await asyncio.to_thread(clock.advance, seconds=59.7)
        ended = [await until_over(here, state.id) for state in games]
    assert {state.result.termination for state in ended} == {Termination.TIME}
    # One step each after the move: no game was ended twice.
    assert {state.version for state in ended} == {2}


async def test_a_game_without_a_first_move_is_aborted(pair, clock):
    here, _ = pair
    state = await here.new_game(control=BLITZ, rated=True)
    await asyncio.to_thread(clock.advance, minutes=1)
    async with here.keeping_time():
        after = await until_over(here, state.id)
    assert after.status == "aborted"
    assert after.result.winner is None
    assert [player.change for player in after.players] == [None, None]


async def test_a_correspondence_game_is_lost_on_time_from_the_first_move(pair, clock):
    here, _ = pair
    state = await here.new_game(control=Correspondence(1))
    await asyncio.to_thread(clock.advance, days=1)
    async with here.keeping_time():
        after = await until_over(here, state.id)
    assert (after.result.winner, after.result.termination) == ("white", Termination.TIME)


async def test_another_process_ends_the_games_of_a_dead_one(pair, clock):
    here, there = pair
    async with here.keeping_time():
        state = await here.new_game(control=BLITZ)
        state = await move(here, state, "c4", now())
    await asyncio.to_thread(clock.advance, seconds=59.9)  # `here` no longer watches
    async with there.keeping_time():
        after = await until_over(there, state.id)
    assert after.result.termination is Termination.TIME


async def test_no_clock_runs_while_the_server_is_down(pair, clock):
    here, there = pair
    await here.games.timekeeper.beat()
    state = await here.new_game(control=BLITZ)
    state = await move(here, state, "c4", now())
    idle = await here.new_game()
    await asyncio.to_thread(clock.advance, seconds=20)
    clock.advance_during_downtime(hours=1)
    await asyncio.gather(
        here.games.timekeeper.beat(), there.games.timekeeper.beat()
    )  # the first of them credits the downtime
    after = await here.games.get(state.id)
    assert after.clock.read(now())[1] == pytest.approx(40_000, abs=2_000)
    assert not after.is_due(now())
    assert (await move(there, after, "f6", now())).ply == 2
    assert (await here.games.get(idle.id)).version == idle.version


async def test_a_late_move_after_downtime_counts(pair, clock):
    """A player who moves before the downtime is credited does not lose on time."""
    here, _ = pair
    await here.games.timekeeper.beat()
    state = await here.new_game(control=BLITZ)
    state = await move(here, state, "c4", now())
    clock.advance_during_downtime(hours=1)
    state = await here.games.get(state.id)
    assert (await move(here, state, "f6", now())).ply == 2


async def test_resigning_after_the_flag_has_fallen_is_too_late(pair):
    here, _ = pair
    state = await here.new_game(control=BLITZ)
    state = await move(here, state, "c4", state.clock.since)
    black = state.players[0]
    with pytest.raises(ConflictError) as caught:
        await here.games.command(Command.RESIGN, state.id, black.id, at=state.deadline)
    assert caught.value.code == "game_over"
    assert (await here.games.get(state.id)).result.winner == "black"


async def test_a_downtime_is_credited_as_far_as_the_clock_did_not_stand_still(pair, clock):
    here, _ = pair
    await here.games.timekeeper.beat()
    state = await here.new_game(control=Correspondence(14, weekends_off=True))
    await asyncio.to_thread(clock.advance, days=1)
    before = await here.games.get(state.id)
    left, down_at = before.clock.read(now())[0], now()
    clock.advance_during_downtime(days=9)  # a weekend is among them
    await here.games.timekeeper.beat()
    after = await here.games.get(state.id)
    assert after.clock.read(now())[0] == pytest.approx(left, abs=5_000)
    assert after.deadline == after.clock.deadline
    credited = counted_time.between(state.clock.since, after.clock.since, weekends_off=True)
    down = counted_time.between(down_at, down_at + 9 * 86_400_000, weekends_off=True)
    assert credited == pytest.approx(down, abs=5_000)


moments = st.integers(MONDAY, MONDAY + 21 * 86_400_000)
stops = st.none() | st.tuples(moments, moments).map(lambda ends: (min(ends), max(ends)))


def test_the_database_counts_time_as_the_engine_does(database_url):
    examples = []

    @settings(max_examples=60, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(moments, moments, st.integers(1, 20 * 86_400_000), st.booleans(), stops)
    def collect(start, end, duration, weekends_off, stop):
        examples.append((start, end, duration, weekends_off, *(stop or (None, None))))

    collect()
    rows = run_coroutine(counted_in(database_url, examples))
    for (start, end, duration, weekends_off, *stop), row in zip(examples, rows, strict=True):
        terms = {"weekends_off": weekends_off, "stop": None if stop[0] is None else tuple(stop)}
        assert row["between"] == counted_time.between(start, end, **terms)
        assert from_datetime(row["after"]) == counted_time.after(start, duration, **terms)


async def counted_in(database_url, examples):
    query = """
    SELECT counted_between($1, $2, $4, $5, $6) AS between, counted_after($1, $3, $4, $5, $6) AS after
    """
    async with connected(database_url) as connection:
        return [
            await connection.fetchrow(
                query, *(to_datetime(at) for at in (start, end)), duration, off, *map(moment_of, stop)
            )
            for start, end, duration, off, *stop in examples
        ]


def moment_of(milliseconds):
    return None if milliseconds is None else to_datetime(milliseconds)


async def test_commands_that_wait_for_a_heartbeat_share_one(pair, monkeypatch):
    here, _ = pair
    states = [await here.new_game(control=BLITZ) for _ in range(6)]
    beat, beats, has_begun = here.games.timekeeper.time.beat, [], asyncio.Event()

    async def count(on_downtime):
        has_begun.set()
        beats.append(await beat(on_downtime))
        return beats[-1]

    monkeypatch.setattr(here.games.timekeeper.time, "beat", count)
    moves = [asyncio.create_task(move(here, state, "c4", state.clock.since)) for state in states]
    await has_begun.wait()
    moves[0].cancel()  # the others wait on
    assert all(state.ply == 1 for state in await asyncio.gather(*moves[1:]))
    assert len(beats) == 1


async def test_a_heartbeat_that_fails_fails_for_all_commands_that_share_it_and_no_others(pair, monkeypatch):
    here, _ = pair
    states = [await here.new_game(control=BLITZ) for _ in range(3)]

    async def fail(_on_downtime):
        raise ConnectionRefusedError

    moves = (move(here, state, "c4", state.clock.since) for state in states)
    with monkeypatch.context() as patched:
        patched.setattr(here.games.timekeeper.time, "beat", fail)
        results = await asyncio.gather(*moves, return_exceptions=True)
    assert [type(result) for result in results] == [ConnectionRefusedError] * 3
    assert (await move(here, states[0], "c4", states[0].clock.since)).ply == 1
