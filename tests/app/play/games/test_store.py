"""What a process remembers of games is never older than what it was told to forget."""

import asyncio
import gc
import uuid

from msgspec.structs import astuple

from app.core.events import Resync
from app.core.moments import now
from app.people.identity.events import PlayersChanged
from app.play.games import decisions
from tests.support.players import fresh_name


async def rename(process, player):
    """Rename a player, tell the process, and return the name."""
    name = fresh_name("renamed")
    await process.database.pool.execute("UPDATE accounts SET username = $2 WHERE id = $1", player.id, name)
    process.games.store.forget(PlayersChanged((player.id,)))
    return name


async def test_what_was_read_before_a_player_changed_is_not_remembered(process, monkeypatch):
    store = process.games.store
    state = await process.new_game()
    store.forget(Resync())
    has_read, go_on, complete = asyncio.Event(), asyncio.Event(), store._with_vacations

    async def hold(read):
        has_read.set()
        await go_on.wait()
        return await complete(read)

    with monkeypatch.context() as patch:
        patch.setattr(store, "_with_vacations", hold)
        reading = asyncio.create_task(store.load(state.id))
        await has_read.wait()
        name = await rename(process, state.players[0])
        go_on.set()
        assert (await reading).players[0].username == state.players[0].username
    assert (await store.current(state.id)).players[0].username == name


async def test_a_step_that_was_decided_before_a_player_changed_is_not_remembered(process):
    games = process.games
    state = await process.new_game()
    decision = decisions.play(state, state.player_to_move.id, "c4", 0, uuid.uuid4(), now())
    writing = asyncio.create_task(games.journal.commit(decision))
    await asyncio.sleep(0)  # it asks for the commit and waits
    name = await rename(process, state.players[0])
    assert (await writing).ply == 1
    assert (await games.get(state.id)).players[0].username == name


async def test_a_step_is_remembered_with_the_game_of_which_it_was_decided(process):
    state = await process.new_game()
    player = state.player_to_move.id
    after = await process.games.play_move(state.id, player, "c4", 0, uuid.uuid4(), at=now())
    assert process.games.store.recent(state.id) is after


async def test_a_remembered_move_has_nothing_that_the_garbage_collector_counts(process):
    state = await process.new_game()
    after = await process.games.play_move(state.id, state.player_to_move.id, "c4", 0, uuid.uuid4(), at=now())
    for game in (after, await process.games.store.load(state.id)):
        (played,) = game.moves
        assert not any(gc.is_tracked(value) for value in (played, *astuple(played)))
