"""The journal: steps of many games in one commit, each with its own outcome."""

import asyncio
import contextlib
import uuid

import pytest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from app.core.errors import ConflictError
from app.core.events import account_topic, game_topic
from app.core.moments import now
from app.play.games import decisions, journal
from app.play.games.decisions import Command
from app.play.games.events import GameChanged, Played
from app.play.games.game import RATED_FROM
from engine.clock import Realtime
from engine.registry import SOLITAIRE
from tests.support.solitaire import random_games


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


_HELD = {
    "accounts": "SELECT FROM accounts WHERE id = ANY($1) FOR UPDATE",
    "games": "SELECT FROM games WHERE first_player = ANY($1) FOR UPDATE",
    "ratings": "SELECT FROM ratings WHERE account_id = ANY($1) FOR UPDATE",
}
"""Locks on the rows of players, as other commands hold them for as long as they like."""


async def finished_solitaire(process):
    """Return a solitaire game that can be submitted, and its player."""
    moves = next(iter(random_games("up_and_up", 4).values()))
    game_id, [player] = await process.begin(SOLITAIRE["up_and_up"], {"size": 4}, ())
    for ply, move in enumerate(moves):
        await process.games.play_move(game_id, player, move, ply, uuid.uuid4(), at=now())
    return game_id, player


async def rated_game_about_to_count(process):
    """Return a rated game of two players with ratings that is long enough to count."""
    state = await process.new_game(rated=True)
    for player in state.players:
        await process.database.pool.execute(
            "INSERT INTO ratings (account_id, game, rating, deviation, volatility, games, opponents) "
            "VALUES ($1, 'jadejack', 1500, 60, 0.06, 20, 10)",
            player.id,
        )
    for _ in range(RATED_FROM):
        state = await play(process, state, state.legal_moves[0])
    return state


@pytest.mark.parametrize("held", _HELD)
async def test_a_step_that_waits_for_a_lock_holds_up_no_other_game(pair, held):
    here, _ = pair
    state = await rated_game_about_to_count(here)
    solitaire, player = await finished_solitaire(here)
    others = [await here.new_game() for _ in range(3)]
    players = [*(each.id for each in state.players), player]
    async with here.database.pool.acquire() as connection:
        holding = connection.transaction()
        await holding.start()
        await connection.execute(_HELD[held], players)
        waiting = [
            asyncio.create_task(here.games.command(Command.RESIGN, state.id, players[0], at=now())),
            asyncio.create_task(here.games.command(Command.SUBMIT, solitaire, player, at=now())),
        ]
        moves = await asyncio.gather(*(play(here, other, "c4") for other in others))
        assert [other.ply for other in moves] == [1] * 3
        moves = await asyncio.gather(*(play(here, other, "f6") for other in moves))
        assert [other.ply for other in moves] == [2] * 3
        assert not all(step.done() for step in waiting)
        await holding.rollback()
    resigned, submitted = await asyncio.gather(*waiting)
    assert resigned.players[0].change < 0
    assert submitted.submitted
    stored = await here.games.store.load(state.id)
    assert (stored.version, stored.result) == (resigned.version, resigned.result)


async def test_a_step_that_waited_for_a_lock_is_refused_if_the_game_has_moved_on(pair):
    here, there = pair
    state = await here.new_game()
    async with here.database.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT FROM games WHERE id = $1 FOR UPDATE", state.id)
        written = [
            asyncio.create_task(process.games.journal.commit(decided(state, move)))
            for process, move in ((here, "c4"), (there, "d3"))
        ]
        await play(here, await here.new_game(), "c4")
    (winner,) = [after for after in await asyncio.gather(*written) if after is not None]
    stored = await there.games.store.load(state.id)
    assert (stored.version, stored.moves) == (1, winner.moves)


def decided(state, move):
    return decisions.play(state, state.player_to_move.id, move, state.ply, uuid.uuid4(), now())


@contextlib.asynccontextmanager
async def locked(process, states):
    """Hold the locks of some games."""
    async with process.database.pool.acquire() as connection, connection.transaction():
        ids = [state.id for state in states]
        await connection.execute("SELECT FROM games WHERE id = ANY($1) ORDER BY id FOR UPDATE", ids)
        yield


def committing(process, state):
    return asyncio.create_task(process.games.journal.commit(decided(state, "c4")))


async def test_a_batch_has_patience_with_locks_only_once(pair, monkeypatch):
    _, here = pair
    games = [await here.new_game() for _ in range(30)]
    free = await here.new_game()
    patience = set()
    written_apart = journal._written_apart

    def noted(connection, waiting, timeout):
        patience.add(timeout)
        return written_apart(connection, waiting, timeout)

    monkeypatch.setattr(journal, "_written_apart", noted)
    async with locked(here, games):
        waiting = [committing(here, state) for state in games]
        assert (await committing(here, free)).ply == 1
        assert journal._PATIENCE not in patience
        assert REGISTRY.get_sample_value("gorrion_steps_waiting") == 30
    assert [state.ply for state in await asyncio.gather(*waiting)] == [1] * 30


async def test_a_step_for_which_there_is_no_place_aside_is_refused_in_time(pair, monkeypatch):
    here, _ = pair
    games = [await here.new_game() for _ in range(5)]
    monkeypatch.setattr(journal, "_EXPIRE_AFTER", 0.5)
    async with locked(here, games):
        waiting = [committing(here, state) for state in games]
        refused, _pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert {type(step.exception()) for step in refused} == {TimeoutError}
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(each, TimeoutError) or each.ply == 1 for each in outcomes)
    assert not all(isinstance(each, TimeoutError) for each in outcomes)


async def test_a_step_put_aside_that_cannot_be_published_is_logged(pair, monkeypatch):
    here, _ = pair
    state = await here.new_game()

    def fail(_decision):
        raise RuntimeError

    monkeypatch.setattr(here.games.journal, "_on_commit", fail)
    with capture_logs() as logs:
        async with locked(here, [state]):
            step = committing(here, state)
            await asyncio.wait([step], timeout=0.5)
        assert (await step).ply == 1
    assert [(each["event"], each["game"]) for each in logs] == [("step_not_published", state.id)]
