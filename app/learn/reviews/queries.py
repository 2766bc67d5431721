"""Reading reviews."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.learn.reviews.models import GameReview, ReviewedPly, ReviewedPush


async def is_requested(session: AsyncSession, game_id: str) -> bool:
    """Return whether a review of a game was ever requested."""
    return await session.get(GameReview, game_id) is not None


async def plies(session: AsyncSession, game_id: str) -> dict[int, ReviewedPly]:
    """Return the evaluated plies of a game so far, by number."""
    rows = await session.scalars(select(ReviewedPly).where(ReviewedPly.game_id == game_id))
    return {row.ply: row for row in rows}


async def solutions(session: AsyncSession, entry_id: str, board: int) -> dict[int, Sequence[str] | None]:
    """Return how the computer would solve a board of an entry, by ply; None where it has not looked yet.

    The result is empty if no review of the board was requested.
    """
    query = select(ReviewedPush.ply, ReviewedPush.forces).where(
        ReviewedPush.entry_id == entry_id, ReviewedPush.board == board
    )
    rows = await session.execute(query)
    return {ply: None if forces is None else forces.split() for ply, forces in rows}
