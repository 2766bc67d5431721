"""Storing puzzles: those that are shipped, and those found in games."""

import hashlib
from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import ids
from app.core.database.session import Database
from app.learn.puzzles.models import StoredPuzzle
from app.play.games.game import GameState
from engine.glicko2 import Rating
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.rules import RULES, has_puzzles
from engine.puzzles.shipped import shipped

_UNSURE = Rating(deviation=200.0)  # an estimate is better than nothing, but not by much


def plies_with_puzzles(state: GameState) -> range:
    """Return the plies of a game after which there may be a puzzle: the first move may go anywhere."""
    return range(max(1, state.first_ply), state.ply + 1) if has_puzzles(state.rules) else range(0)


def may_be_puzzle(state: GameState, ply: int) -> bool:
    """Return whether a puzzle may be made of the position after a ply of a game.

    After the last move of a game that was played out there is none.
    """
    if ply not in plies_with_puzzles(state):
        return False
    return state.rules.side_to_move(state.position_after(ply)) is not None


async def store_shipped(database: Database) -> None:
    """Store the puzzles that come with the program, unless they are stored already."""
    puzzles = {id_of(puzzle): puzzle for game in RULES for puzzle in shipped(game)}
    async with database.transaction() as session:
        stored = await session.scalars(select(StoredPuzzle.id).where(StoredPuzzle.id.in_(puzzles)))
        if missing := puzzles.keys() - set(stored):
            await _store(session, [_row(puzzles[puzzle_id]) for puzzle_id in sorted(missing)])


async def store(session: AsyncSession, puzzle: Puzzle, game_id: str, ply: int) -> str:
    """Store a puzzle that was found in a game, unless it is stored already, and return its id."""
    await _store(session, [{**_row(puzzle), "game_id": game_id, "ply": ply}])
    return id_of(puzzle)


def id_of(puzzle: Puzzle) -> str:
    """Return the id of a puzzle, which is the same on every server."""
    digest = hashlib.sha256(f"{puzzle.game} {puzzle.position}".encode()).digest()
    return ids.id_from(digest)


def _row(puzzle: Puzzle) -> dict[str, object]:
    return {
        "id": id_of(puzzle),
        "game": puzzle.game,
        "position": puzzle.position,
        "solution": list(puzzle.solution),
        "themes": list(puzzle.themes),
        "rating": float(puzzle.rating),
        "deviation": _UNSURE.deviation,
        "volatility": _UNSURE.volatility,
    }


async def _store(session: AsyncSession, rows: Iterable[dict[str, object]]) -> None:
    await session.execute(insert(StoredPuzzle).on_conflict_do_nothing(), list(rows))
