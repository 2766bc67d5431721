"""What workers do for reviews."""

import asyncio
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import update
from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.jobs.worker import Job, Jobs
from app.learn.reviews.models import ReviewedPly, ReviewedPush
from app.learn.reviews.service import REVIEW_PLY, REVIEW_PUSH
from app.nugget.lineage import remember_help
from app.play.games.game import GameState
from app.play.games.service import Games
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import Board
from engine.search import computer, solitaire
from engine.search.nugget.runs import NoSolutionError
from engine.search.nugget.solver import solve

_SECONDS = 0.5  # for a position: a game of 100 plies takes a worker less than a minute


async def review_ply(job: Job, database: Database, games: Games) -> Mapping[str, Any]:
    """Evaluate the position after a ply of a game, and store the evaluation."""
    state = await games.get(job.payload["game_id"])
    ply: int = job.payload["ply"]
    evaluate = _of_solitaire if state.is_solitaire else _of_game
    values = await asyncio.to_thread(evaluate, state, ply)
    row = insert(ReviewedPly).values(game_id=state.id, ply=ply, **values)
    async with database.transaction() as session:
        await session.execute(row.on_conflict_do_nothing())
    return {"best": values["best"]}


async def review_push(job: Job, database: Database) -> Mapping[str, Any]:
    """Solve a board of an entry from a ply on, and store the solution."""
    entry_id, number, ply = (job.payload[name] for name in ("entry_id", "board", "ply"))
    board = Board(Face(job.payload["face"]), tuple(job.payload["cells"]))
    try:
        forces = await asyncio.to_thread(solve, board, job.attempts)
    except NoSolutionError:
        forces = ()
    async with database.transaction() as session:
        await session.execute(
            update(ReviewedPush)
            .where(ReviewedPush.entry_id == entry_id, ReviewedPush.board == number, ReviewedPush.ply == ply)
            .values(forces=" ".join(forces))
        )
        if forces and ply + len(forces) < job.payload["moves"]:  # the page shows better moves than were made
            await remember_help(session, board, forces)
    return {"forces": len(forces)}


def _of_game(state: GameState, ply: int) -> dict[str, Any]:
    played = state.moves[ply].move if ply < state.ply else None
    return asdict(computer.evaluate(state.rules, state.position_after(ply), played, seconds=_SECONDS))


def _of_solitaire(state: GameState, ply: int) -> dict[str, Any]:
    line = solitaire.best_line(state.rules, state.position_after(ply))
    best = line.moves[0] if line.moves else ""
    return {"best": best, "points": line.result, "is_exact": False, "line": list(line.moves)}


JOBS: Jobs = {REVIEW_PLY: review_ply, REVIEW_PUSH: review_push}
