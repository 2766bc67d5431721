"""The first attempts of accounts at puzzles, and how both are rated by them."""

from dataclasses import asdict

from sqlalchemy import ColumnElement, and_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.moments import utc_now
from app.learn.puzzles.models import PuzzleAttempt, PuzzleRating, StoredPuzzle
from engine.glicko2 import PERIODS_PER_DAY, Rating, rate

_SECONDS_OF_DAY = 86_400


async def begin(
    session: AsyncSession, account_id: int, puzzle_id: str, *, solved: bool, is_open: bool
) -> bool:
    """Store an attempt if it is the account's first at a puzzle, and return whether it is."""
    row = {"solved": solved, "is_open": is_open, "rating_change": 0.0}
    added = insert(PuzzleAttempt).values(account_id=account_id, puzzle_id=puzzle_id, **row)
    first = await session.scalar(added.on_conflict_do_nothing().returning(PuzzleAttempt.puzzle_id))
    return first is not None


async def end(session: AsyncSession, account_id: int, puzzle_id: str, *, solved: bool) -> bool:
    """End the attempt of an account that a slip at a puzzle has left open; return whether there is one."""
    ended = (
        update(PuzzleAttempt)
        .where(_is_of(account_id, puzzle_id), PuzzleAttempt.is_open)
        .values(solved=solved, is_open=False)
    )
    return await session.scalar(ended.returning(PuzzleAttempt.puzzle_id)) is not None


def _is_of(account_id: int, puzzle_id: str) -> ColumnElement[bool]:
    return and_(PuzzleAttempt.account_id == account_id, PuzzleAttempt.puzzle_id == puzzle_id)


async def rate_attempt(session: AsyncSession, account_id: int, puzzle_id: str, *, solved: bool) -> float:
    """Rate an account and a puzzle by an attempt, and return by how much the account's rating changed."""
    puzzle = await session.get_one(
        StoredPuzzle, puzzle_id, with_for_update={"key_share": True}, populate_existing=True
    )
    key = {"account_id": account_id, "game": puzzle.game}
    newcomer = insert(PuzzleRating).values({**key, **asdict(Rating())})
    await session.execute(newcomer.on_conflict_do_nothing())
    player = await session.get_one(PuzzleRating, key, with_for_update=True)
    points = 1.0 if solved else 0.0
    own = Rating(player.rating, player.deviation, player.volatility)
    its = Rating(puzzle.rating, puzzle.deviation, puzzle.volatility)
    elapsed = max(0.0, (utc_now() - player.updated_at).total_seconds()) / _SECONDS_OF_DAY
    after = rate(own, [(its, points)], periods=elapsed * PERIODS_PER_DAY)
    harder = rate(its, [(own, 1.0 - points)], periods=0.0)
    _take(player, after)
    _take(puzzle, harder)
    for counted in (player, puzzle):
        counted.attempts += 1
        counted.solved += solved
    player.streak = player.streak + 1 if solved else 0
    player.best_streak = max(player.best_streak, player.streak)
    player.updated_at = utc_now()
    change = after.rating - own.rating
    await session.execute(
        update(PuzzleAttempt).where(_is_of(account_id, puzzle_id)).values(rating_change=change)
    )
    return change


def _take(row: PuzzleRating | StoredPuzzle, rating: Rating) -> None:
    row.rating, row.deviation, row.volatility = rating.rating, rating.deviation, rating.volatility
