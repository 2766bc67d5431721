"""The journal: steps of many games in one commit, each with its own outcome."""

import asyncio
import uuid

import pytest

from app.core.errors import ConflictError
from app.core.events import account_topic, game_topic
from app.core.moments import now
from app.play.games import decisions
from app.play.games.decisions import Command
from app.play.games.events import GameChanged, Played
from app.play.games.game import RATED_FROM
from engine.clock import Realtime
from tests.support.web_processes import web_processes


@pytest.fixture
async def pair(database_url):
    async with web_processes(database_url, 2) as processes:
        yield processes


def play(process, state, move, ply=None, move_id=None):
    mover = state.player_to_move
    ply = state.ply if ply is None else ply
    return process.games.play_move(state.id, mover.id, move, ply, move_id or uuid.uuid4(), at=now())


async def test_moves_of_many_games_at_once_are_all_committed(pair):
    here, there = pair
    games = [await here.new_game() for _ in range(30)]
    after = await asyncio.gather(*(play(here, state, "c4") for state in games))
    assert [state.ply for state in after] == [1] * 30
    stored = [await there.games.get(state.id) for state in games]
    assert [(state.version, state.moves[0].move) for state in stored] == [(1, "c4")] * 30


async def test_a_refused_row_does_not_fail_its_neighbours(pair):
    here, _ = pair
    games = [await here.new_game() for _ in range(10)]
    move_id = uuid.uuid4()
    games[3] = await play(here, games[3], "c4", move_id=move_id)
    moves = [play(here, state, "f6" if state is games[3] else "c4", move_id=move_id) for state in games]
    outcomes = await asyncio.gather(*moves, return_exceptions=True)
    refused = outcomes.pop(3)
    assert isinstance(refused, ConflictError)
    assert refused.code == "move_id_reused"
    assert [state.ply for state in outcomes] == [1] * 9
    assert (await here.games.get(games[3].id)).ply == 1


async def test_of_two_steps_for_one_version_one_is_written(pair):
    here, there = pair
    state = await here.new_game()
    player = state.player_to_move.id
    chosen = [decisions.play(state, player, move, 0, uuid.uuid4(), now()) for move in ("c4", "d3", "f6")]
    written = await asyncio.gather(
        here.games.journal.commit(chosen[0]),
        here.games.journal.commit(chosen[1]),
        there.games.journal.commit(chosen[2]),
    )
    (winner,) = [after for after in written if after is not None]
    stored = await there.games.store.load(state.id)
    assert (stored.version, stored.moves) == (1, winner.moves)


async def test_a_step_whose_caller_is_gone_is_written_and_published(pair):
    here, _ = pair
    state = await here.new_game()
    async with here.hub.subscribe(game_topic(state.id)) as subscription:
        decision = decisions.play(state, state.player_to_move.id, "c4", 0, uuid.uuid4(), now())
        caller = asyncio.create_task(here.games.journal.commit(decision))
        await asyncio.sleep(0)  # it asks for the commit and waits
        caller.cancel()
        async with asyncio.timeout(10):
            event = await subscription.get()
    assert event.version == 1
    assert (await here.games.store.load(state.id)).ply == 1


async def test_another_process_follows_a_game_by_its_events(pair):
    here, there = pair
    await here.games.timekeeper.beat()  # so that the clocks are not credited with a downtime meanwhile
    state = await here.new_game(control=Realtime(300, 5), rated=True)
    seen = await there.games.get(state.id)
    events = []
    for player in state.players:
        here.hub.listen(events.append, (account_topic(player.id),))
    for _ in range(RATED_FROM):
        state = await play(here, state, state.legal_moves[0])
    state = await here.games.command(Command.RESIGN, state.id, state.players[0].id, at=now())
    changes = [event for event in dict.fromkeys(events) if isinstance(event, GameChanged)]
    assert [event.version for event in changes] == list(range(1, RATED_FROM + 2))
    assert isinstance(changes[0].step, Played)
    for event in changes:
        seen = there.games.store.follow(event)
        assert seen.version == event.version
    stored = await there.games.store.load(state.id)
    assert (seen.moves, seen.result, seen.clock, seen.players) == (
        stored.moves,
        stored.result,
        stored.clock,
        stored.players,
    )
    assert all(player.change for player in seen.players)


async def test_a_process_that_missed_the_end_of_a_game_refuses_moves_as_after_the_end(pair):
    here, there = pair
    state = await there.new_game()
    waiting = state.players[1].id
    await here.games.get(state.id)
    await there.games.command(Command.RESIGN, state.id, waiting, at=now())
    with pytest.raises(ConflictError) as refusal:
        await here.games.play_move(state.id, waiting, "c4", 0, uuid.uuid4(), at=now())
    assert refusal.value.code == "game_over"


async def test_a_process_that_missed_a_takeback_plays_what_is_legal_after_it(pair):
    here, there = pair
    state = await play(there, await there.new_game(), "c4")
    black, white = (player.id for player in state.players)
    await here.games.get(state.id)
    await there.games.command(Command.TAKEBACK, state.id, black, at=now())
    await there.games.command(Command.ACCEPT_TAKEBACK, state.id, white, at=now())
    state = await play(there, await there.games.get(state.id), "f6")
    state = await here.games.play_move(state.id, white, "c4", 1, uuid.uuid4(), at=now())
    assert [played.move for played in state.moves] == ["f6", "c4"]


async def test_the_thinking_time_of_each_move_is_stored(pair):
    here, there = pair
    await here.games.timekeeper.beat()  # so that the clock is not credited with a downtime
    state = await here.new_game(control=Realtime(300, 5))
    first = await here.games.play_move(
        state.id, state.players[0].id, "c4", 0, uuid.uuid4(), at=state.clock.since + 1_200
    )
    second = await here.games.play_move(
        state.id, state.players[1].id, "f6", 1, uuid.uuid4(), at=first.clock.since + 3_400
    )
    stored = await there.games.store.load(state.id)
    assert [played.spent for played in stored.moves] == [1_200, 3_400]
    assert stored.moves == second.moves
