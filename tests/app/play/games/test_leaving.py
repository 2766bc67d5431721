"""A rated game changes both ratings, or counts against the player who left it."""

import uuid

import pytest

from app.core.moments import now
from app.play.games import decisions
from app.play.games.decisions import Command
from app.play.games.game import RATED_FROM
from app.play.lobby.queries import aborts
from engine.clock import Realtime


async def abort(process, state):
    return await process.games.command(Command.ABORT, state.id, state.player_to_move.id, at=now())


async def resign(process, state):
    return await process.games.command(Command.RESIGN, state.id, state.player_to_move.id, at=now())


async def lose_on_time(process, state):
    return await process.games.journal.commit(decisions.flag(state, state.deadline))


async def stay_away(process, state):
    waiting = state.other_side(state.side_to_move)
    decision = decisions.claim(state, waiting, state.clock.since + 120_000, state.clock.since)
    return await process.games.journal.commit(decision)


WAYS = [
    pytest.param(leave, plies, id=f"{leave.__name__} at {plies}")
    for leave in (abort, resign, lose_on_time, stay_away)
    for plies in (0, 1, 2, RATED_FROM - 1, RATED_FROM)
    if leave is not abort or plies < 2
]


@pytest.mark.parametrize(("leave", "plies"), WAYS)
async def test_whoever_leaves_a_rated_game_loses_rating_or_is_to_blame(process, leave, plies):
    await process.games.timekeeper.beat()  # so that the clocks are not credited with a downtime
    state = await process.new_game(control=Realtime(300, 5), rated=True)
    for ply in range(plies):
        player = state.player_to_move.id
        state = await process.games.play_move(
            state.id, player, state.legal_moves[0], ply, uuid.uuid4(), at=now()
        )
    leaver = state.player_to_move.id
    after = await leave(process, state)
    is_rated = all(player.change is not None for player in after.players)
    assert is_rated == (plies >= RATED_FROM)
    async with process.database.reading_now() as session:
        counted = {player.id: (await aborts(session, player.id)).aborted for player in after.players}
    assert counted == {player.id: int(player.id == leaver and not is_rated) for player in after.players}


async def test_a_casual_game_may_be_left(process):
    state = await process.new_game(control=Realtime(300, 5))
    for move in ("c4", "f6"):
        player = state.player_to_move.id
        state = await process.games.play_move(state.id, player, move, state.ply, uuid.uuid4(), at=now())
    await resign(process, state)
    async with process.database.reading_now() as session:
        assert [(await aborts(session, player.id)).aborted for player in state.players] == [0, 0]
