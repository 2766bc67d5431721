"""What workers do for reviews."""

import asyncio
from collections.abc import Mapping
from typing import Any

from sqlalchemy.dialects.postgresql import insert

from app.database.session import Database
from app.games.service import Games
from app.jobs.worker import Job
from app.reviews.models import ReviewedPly
from engine.search import computer
from engine.search.player import Choice

_SECONDS = 0.5  # for a position: a game of 100 plies takes a worker less than a minute


async def review_ply(database: Database, games: Games, job: Job) -> Mapping[str, Any]:
    """Evaluate the position after a ply of a game, and store the evaluation."""
    state = await games.get(job.payload["game_id"])
    ply: int = job.payload["ply"]
    position = state.position_after(ply)
    choice = await asyncio.to_thread(computer.analyse, state.rules, position, seconds=_SECONDS)
    best = choice.ranking[0]
    played, is_exact = _of_played(choice, state.moves[ply].move) if ply < state.ply else (None, False)
    row = insert(ReviewedPly).values(
        game_id=state.id, ply=ply, best=best.move, points=best.points, played=played, is_exact=is_exact
    )
    async with database.transaction() as session:
        await session.execute(row.on_conflict_do_nothing())
    return {"best": best.move}


def _of_played(choice: Choice, move: str) -> tuple[float, bool]:
    """Return the points of a move and whether they are exact; if not, it is worth no more than that."""
    exact = choice.ranking[: computer.EXACT_MOVES]
    for evaluated in exact:
        if evaluated.move == move:
            return evaluated.points, True
    return exact[-1].points, False
