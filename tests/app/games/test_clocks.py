"""Flags, deadlines and downtime: on several processes, with the time handed in or really passing."""

import asyncio
import uuid

import pytest

from app.errors import ConflictError
from app.games.timekeeper import LATE_MOVE_MARGIN
from app.moments import now
from engine.clock import Correspondence, Realtime
from engine.game import Termination
from tests.support.workers import age, workers

BLITZ = Realtime(60, 0)


@pytest.fixture
async def pair(database_url):
    """Give two processes of the server."""
    async with workers(database_url, 2) as found:
        yield found


async def move(worker, state, text, at, *, player=None):
    player = player or state.player_at(state.side_to_move)
    return await worker.games.play_move(state.id, player.id, text, state.ply, uuid.uuid4(), at=at)


async def until_over(worker, game_id, *, within=5.0):
    for _ in range(int(within / 0.01)):
        if (state := await worker.games.get(game_id)).result:
            return state
        await asyncio.sleep(0.01)
    raise AssertionError("the game goes on")


async def test_the_time_of_a_move_is_what_the_server_saw(pair):
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
async def test_the_deadline_is_sharp_whoever_races_for_it(pair, early):
    """A move that came a millisecond before the deadline counts, though a flag is looked for meanwhile."""
    here, there = pair
    for _ in range(8):
        state = await here.new_game(control=BLITZ)
        state = await move(here, state, "c4", state.clock.since)
        deadline = state.deadline
        late_move = move(there, state, "f6", deadline - early)
        # The other process looks at the same moment, as far behind as it always is.
        flag = here.games.flag(state.id, deadline - early + 1 - LATE_MOVE_MARGIN)
        result, _ = await asyncio.gather(late_move, flag, return_exceptions=True)
        after = await here.games.get(state.id)
        if early > 0:
            assert after.ply == 2
            assert not after.result
        else:
            assert isinstance(result, ConflictError)
            assert result.code == "game_over"
            assert result.extra["snapshot"]["result"]["termination"] == "time"
            assert after.ply == 1
            assert (after.result.winner, after.result.termination) == ("black", Termination.TIME)
            assert after.clock.left[1] == 0


async def test_a_move_and_a_flag_at_once_do_not_both_happen(pair):
    here, there = pair
    for _ in range(8):
        state = await here.new_game(control=BLITZ)
        state = await move(here, state, "c4", state.clock.since)
        await asyncio.gather(
            move(there, state, "f6", state.deadline - 1),
            here.games.flag(state.id, state.deadline),
            return_exceptions=True,
        )
        after = await here.games.get(state.id)
        assert after.version == state.version + 1
        assert (after.ply == 2) != (after.result is not None)


async def test_flags_fall_by_themselves_once_whoever_keeps_the_time(pair):
    here, there = pair
    games = []
    for _ in range(10):
        state = await here.new_game(control=BLITZ)
        state = await move(here, state, "c4", now())
        await age(here.database, state.id, 59_700)
        games.append(state)
    async with here.keeping_time(), there.keeping_time():
        ended = [await until_over(here, state.id) for state in games]
    assert {state.result.termination for state in ended} == {Termination.TIME}
    # One step each, after the two of moving and ageing: nobody ended a game twice.
    assert {state.version for state in ended} == {3}


async def test_a_first_move_that_does_not_come_calls_the_game_off(pair):
    here, _ = pair
    state = await here.new_game(control=BLITZ, rated=True)
    await age(here.database, state.id, 60_000)
    async with here.keeping_time():
        after = await until_over(here, state.id)
    assert after.status == "aborted"
    assert after.result.winner is None
    assert [player.change for player in after.players] == [None, None]


async def test_a_correspondence_game_is_lost_by_the_first_move_too(pair):
    here, _ = pair
    state = await here.new_game(control=Correspondence(1))
    await age(here.database, state.id, 86_400_000)
    async with here.keeping_time():
        after = await until_over(here, state.id)
    assert (after.result.winner, after.result.termination) == ("white", Termination.TIME)


async def test_the_deadline_of_a_dead_process_is_kept_by_another(pair):
    here, there = pair
    async with here.keeping_time():
        state = await here.new_game(control=BLITZ)
        state = await move(here, state, "c4", now())
    await age(here.database, state.id, 59_900)  # and `here` keeps no time any more
    async with there.keeping_time():
        after = await until_over(there, state.id)
    assert after.result.termination is Termination.TIME


async def test_no_clock_runs_while_the_server_is_down(pair):
    here, there = pair
    await here.games.beat()
    state = await here.new_game(control=BLITZ)
    state = await move(here, state, "c4", now())
    idle = await here.new_game()
    # The server was last alive 20 seconds after White's clock began to run, and that was an hour ago.
    await age(here.database, state.id, 3_620_000)
    await here.database.pool.execute("UPDATE heartbeat SET beat_at = now() - interval '1 hour'")
    await asyncio.gather(here.games.beat(), there.games.beat())  # whoever comes first gives the credit
    after = await here.games.get(state.id)
    assert after.clock.read(now())[1] == pytest.approx(40_000, abs=2_000)
    assert not after.is_due(now())
    assert (await move(there, after, "f6", now())).ply == 2
    assert (await here.games.get(idle.id)).version == idle.version


async def test_a_late_move_after_downtime_counts(pair):
    """Who moves before the credit was given is not flagged for the time that the server was down."""
    here, _ = pair
    await here.games.beat()
    state = await here.new_game(control=BLITZ)
    state = await move(here, state, "c4", now())
    await age(here.database, state.id, 3_600_000)
    await here.database.pool.execute("UPDATE heartbeat SET beat_at = now() - interval '1 hour'")
    state = await here.games.get(state.id)
    assert (await move(here, state, "f6", now())).ply == 2


async def test_resigning_after_the_flag_has_fallen_is_too_late(pair):
    here, _ = pair
    state = await here.new_game(control=BLITZ)
    state = await move(here, state, "c4", state.clock.since)
    black = state.players[0]
    with pytest.raises(ConflictError) as caught:
        await here.games.resign(state.id, black.id, at=state.deadline)
    assert caught.value.code == "game_over"
    assert (await here.games.get(state.id)).result.winner == "black"
