"""Which puzzles there are: those shipped and those found in games; and which of them is that of a day."""

import hashlib
from collections.abc import Iterable
from datetime import date, timedelta

from sqlalchemy import func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import ids
from app.core.database.session import Database
from app.core.jobs.queue import Priority, Queue, Task
from app.core.moments import utc_now
from app.learn.puzzles import queries
from app.learn.puzzles.models import PuzzleDay, PuzzleSearch, StoredPuzzle
from app.play.games.game import GameState
from engine.glicko2 import Rating
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.rules import RULES, has_puzzles
from engine.puzzles.shipped import shipped

_UNSURE = Rating(deviation=200.0)  # an estimate is better than nothing, but not by much

_AHEAD = 7  # days
_EASIEST, _HARDEST = 1100, 1900

FIND = Task("find_puzzles")
"""The kind of job that looks for puzzles in a game."""

_FEWEST_PLIES = 10


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


async def choose_days(database: Database) -> None:
    """Choose the puzzles of the coming days that have none yet."""
    today = utc_now().date()
    async with database.transaction() as session:
        chosen = select(PuzzleDay.day, PuzzleDay.game).where(PuzzleDay.day >= today)
        known = {(day, game) for day, game in await session.execute(chosen)}
        for day in (today + timedelta(ahead) for ahead in range(_AHEAD + 1)):
            for game in RULES:
                if (day, game) not in known:
                    await choose(session, game, day)


async def choose(session: AsyncSession, game: str, day: date) -> None:
    """Choose the puzzle of a game for a day: one of medium difficulty that was not chosen for a long time."""
    last = (
        select(func.max(PuzzleDay.day))
        .where(PuzzleDay.puzzle_id == StoredPuzzle.id)
        .correlate(StoredPuzzle)
        .scalar_subquery()
    )
    is_medium = StoredPuzzle.rating.between(_EASIEST, _HARDEST)
    at_random = func.md5(StoredPuzzle.id + literal(day.isoformat()))
    candidate = (
        select(literal(day), literal(game), StoredPuzzle.id)
        .where(StoredPuzzle.game == game)
        .order_by(last.asc().nulls_first(), is_medium.desc(), at_random)
        .limit(1)
    )
    rows = insert(PuzzleDay).from_select(["day", "game", "puzzle_id"], candidate)
    await session.execute(rows.on_conflict_do_nothing())


async def search_next_game(database: Database, queue: Queue) -> None:
    """Ask for a search of the next finished game, unless other work waits: a proof takes seconds."""
    if await queue.count_waiting():
        return
    async with database.transaction() as session:
        next_game = await queries.next_to_search(session, _FEWEST_PLIES)
        if next_game is None:
            return
        game_id, ended_at = next_game
        row = insert(PuzzleSearch).values(game_id=game_id, ended_at=ended_at)
        await session.execute(row.on_conflict_do_nothing())
        jobs = {f"{FIND}:{game_id}": {"game_id": game_id}}
        await queue.add_within(session, FIND, jobs, priority=Priority.LATER)
