"""What workers do for the games for two: computers' moves, and evaluations of positions."""

import asyncio
import math
from collections.abc import Mapping
from typing import Any

import structlog

from app.core.database.session import Database
from app.core.errors import NotFoundError
from app.core.jobs.queue import COMPUTER_MOVE
from app.core.jobs.worker import Job, Jobs
from app.core.moments import now
from app.people.social.queries import playing_on
from app.play.bots.late import plain_move, seed_of
from app.play.bots.service import EVALUATE, WEIGH
from app.play.games.game import GameState
from app.play.games.service import Games
from engine.clock import FlagFallen
from engine.registry import FOR_TWO
from engine.search import computer

log = structlog.get_logger()

_SEARCH_ATTEMPTS = 2  # after that the plain player moves
_SHARE_OF_CLOCK = 30  # a move takes at most this fraction of the time left: one part in 30


async def make_move(job: Job, games: Games, database: Database) -> Mapping[str, Any]:
    """Choose and play the move of the computer whose turn it is in a game, once. It may resign instead.

    Return `{"played": move}`, with None if it resigned, or `{"dropped": reason}` if the game no longer waits
    for it.
    """
    try:
        state = await games.get(job.payload["game_id"])
    except NotFoundError:
        return {"dropped": "no such game"}
    if not state.awaits_computer:
        return {"dropped": "it is not the computer's turn"}
    move = None if await _resigns(state, database) else await _choose(state, job.attempts)
    try:
        written = await games.play_for_computer(state, move, at=now())
    except FlagFallen:
        return {"dropped": "time ran out"}
    if written is None:
        log.info("computer_move_dropped", game=state.id, ply=state.ply)
        return {"dropped": "the position changed"}
    return {"played": move}


async def evaluate(job: Job) -> Mapping[str, Any]:
    """Evaluate a position: return its best moves with their points, and what is expected."""
    rules = FOR_TWO[job.payload["game"]]
    position = rules.parse(job.payload["position"])
    choice = await asyncio.to_thread(computer.analyse, rules, position)
    choice = await asyncio.to_thread(computer.explained, rules, position, choice)
    best = choice.ranking
    ranking = [(evaluated.move, evaluated.points, evaluated.line) for evaluated in best]
    expected = [choice.expected, *(evaluated.expected for evaluated in best)]
    return {
        "ranking": ranking,
        "depth": choice.depth,
        "positions": choice.positions,
        "expected": expected,
    }


async def weigh(job: Job) -> Mapping[str, Any]:
    """Compare a move with the best one, which the job may name."""
    rules = FOR_TWO[job.payload["game"]]
    position = rules.parse(job.payload["position"])
    move, best = job.payload["move"], job.payload["best"]
    weighed = await asyncio.to_thread(computer.weigh, rules, position, move, best=best)
    return {"moves": [(each.move, each.points, each.line) for each in weighed]}


async def _resigns(state: GameState, database: Database) -> bool:
    """Return whether the game is lost for the computer, unless an opponent wants it to play on."""
    if not await asyncio.to_thread(computer.is_lost, state.rules, state.position):
        return False
    async with database.reading_now() as session:
        return not await playing_on(session, [player.id for player in state.players])


async def _choose(state: GameState, attempts: int) -> str:
    """Choose a move by search, or by the plain player after the search has failed."""
    if attempts > _SEARCH_ATTEMPTS:
        log.warning("computer_plays_plainly", game=state.id, ply=state.ply, attempt=attempts)
        return plain_move(state)
    side = state.side_to_move
    assert side is not None
    level = state.player_at(side).level
    assert level is not None
    choice = await asyncio.to_thread(
        computer.choose,
        state.rules,
        state.position,
        level=level,
        seed=seed_of(state),
        seconds=_seconds(state),
    )
    return choice.move


def _seconds(state: GameState) -> float:
    """Return how many seconds to think at most, whatever the level."""
    if state.clock is None or state.side_to_move is None:
        return math.inf
    left = state.clock.read(now())[state.rules.sides.index(state.side_to_move)]
    return left / 1000 / _SHARE_OF_CLOCK


JOBS: Jobs = {COMPUTER_MOVE: make_move, EVALUATE: evaluate, WEIGH: weigh}
