"""What workers do for the games for two: the moves of computer players, and looks at positions."""

import asyncio
import zlib
from collections.abc import Mapping
from typing import Any

import structlog

from app.errors import NotFoundError
from app.games.game import GameState
from app.games.service import Games
from app.jobs.queue import Job
from app.moments import now
from engine.clock import FlagFallen
from engine.registry import FOR_TWO
from engine.search import computer, plain

log = structlog.get_logger()

_PATIENCE = 2  # attempts at a search before the plain player moves
_SECONDS = 1.0
_SHOWN = 5  # moves of a position that was looked at
_SHARE_OF_CLOCK = 30  # a move takes no more than one part in so many of the time that is left


async def make_move(games: Games, job: Job) -> Mapping[str, Any]:
    """Choose and play the move of the computer whose turn it is in a game, once.

    Gives what became of it: `{"played": "e5"}`, or `{"dropped": why}` when the game no longer waits for it.
    """
    try:
        state = await games.get(job.payload["game_id"])
    except NotFoundError:
        return {"dropped": "no such game"}
    if not state.awaits_computer:
        return {"dropped": "it is not the computer's turn"}
    move = await _choice(state, job)
    try:
        written = await games.play_for_computer(state, move, at=now())
    except FlagFallen:
        return {"dropped": "time ran out"}
    if written is None:
        log.info("computer_move_dropped", game=state.id, ply=state.ply)
        return {"dropped": "the position changed"}
    return {"played": move}


async def _choice(state: GameState, job: Job) -> str:
    """Choose a move; after failures of the search, whatever they are, the plain player does."""
    seed = zlib.crc32(f"{state.id}:{state.ply}".encode())
    if job.attempts > _PATIENCE:
        log.warning("computer_plays_plainly", game=state.id, ply=state.ply, attempt=job.attempts)
        return plain.choose(state.rules, state.position, seed)
    side = state.side_to_move
    assert side is not None
    level = state.player_at(side).level
    assert level is not None
    choice = await asyncio.to_thread(
        computer.choose, state.rules, state.position, level=level, seed=seed, seconds=_seconds(state)
    )
    return choice.move


def _seconds(state: GameState) -> float:
    """Give how long to think at most."""
    if state.clock is None or state.side_to_move is None:
        return _SECONDS
    left = state.clock.read(now())[state.rules.sides.index(state.side_to_move)]
    return min(_SECONDS, left / 1000 / _SHARE_OF_CLOCK)


async def think(job: Job) -> Mapping[str, Any]:
    """Look at a position, and give its best moves with what they promise."""
    rules = FOR_TWO[job.payload["game"]]
    position = rules.parse(job.payload["position"])
    if rules.side_to_move(position) is None:
        return {"error": "The game is over: there is nothing to look for."}
    choice = await asyncio.to_thread(computer.analyse, rules, position)
    best = choice.ranking[:_SHOWN]
    return {"thoughts": [(evaluated.move, evaluated.points) for evaluated in best], "depth": choice.depth}
