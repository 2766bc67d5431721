"""Reading reviews."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.reviews.models import GameReview, ReviewedPly
from engine.review import Evaluation


async def is_requested(session: AsyncSession, game_id: str) -> bool:
    """Return whether a review of a game was ever requested."""
    return await session.get(GameReview, game_id) is not None


async def evaluations(session: AsyncSession, game_id: str) -> dict[int, Evaluation]:
    """Return the evaluations of a game's positions so far, by ply."""
    rows = await session.scalars(select(ReviewedPly).where(ReviewedPly.game_id == game_id))
    return {row.ply: Evaluation(row.best, row.points, row.played, row.is_exact) for row in rows}
