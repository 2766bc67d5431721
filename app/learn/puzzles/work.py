"""What workers do for puzzles: looking for positions in a game, and proving each."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from app.core.database.session import Database
from app.core.jobs.queue import Priority, Queue
from app.core.jobs.worker import Job, Jobs
from app.learn.puzzles import collection, queries
from app.learn.puzzles.collection import FIND, may_be_puzzle, plies_with_puzzles
from app.learn.puzzles.service import PROVE
from app.play.games.game import GameState
from app.play.games.service import Games
from engine.search.puzzles.finder import APART, FINDERS


async def find_puzzles(job: Job, games: Games, queue: Queue) -> Mapping[str, Any]:
    """Look for positions in a game that may be puzzles, and ask for a proof of each."""
    state = await games.get(job.payload["game_id"])
    plies = await asyncio.to_thread(_likely, state)
    payloads = {f"{PROVE}:{state.id}:{ply}:found": {"game_id": state.id, "ply": ply} for ply in plies}
    await queue.add(PROVE, payloads, priority=Priority.LATER)
    return {"plies": plies}


async def prove_puzzle(job: Job, database: Database, games: Games) -> Mapping[str, Any]:
    """Store the puzzle of the position after a ply of a finished game.

    Return `{"puzzle": id}`; the id is None if the position has no single best line, or belongs to a rated
    game under way.
    """
    state = await games.get(job.payload["game_id"])
    ply: int = job.payload["ply"]
    if state.result is None or not may_be_puzzle(state, ply):
        return {"puzzle": None}
    position = state.position_after(ply)
    puzzle = await asyncio.to_thread(FINDERS[state.game].prove, position)
    if puzzle is None:
        return {"puzzle": None}
    async with database.transaction() as session:
        if await queries.is_being_played(session, state.game, state.rules.format(position)):
            return {"puzzle": None}
        return {"puzzle": await collection.store(session, puzzle, state.id, ply)}


def _likely(state: GameState) -> Sequence[int]:
    """Return the plies after which a position may be a puzzle, no two close to each other."""
    plies: list[int] = []
    positions = state.positions()
    for ply in plies_with_puzzles(state):
        is_far = not plies or ply - plies[-1] >= APART
        has_move = state.rules.side_to_move(positions[ply]) is not None
        if is_far and has_move and FINDERS[state.game].is_likely(positions[ply]):
            plies.append(ply)
    return plies


JOBS: Jobs = {FIND: find_puzzles, PROVE: prove_puzzle}
