"""Reading the progress of players."""

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.learn.lessons.models import LessonStep

Progress = Mapping[str, frozenset[str]]
"""The keys of the steps passed, by game."""


async def progress(session: AsyncSession, account_id: int) -> Progress:
    """Return the steps that an account has passed."""
    query = (
        select(LessonStep.game, func.array_agg(LessonStep.step))
        .where(LessonStep.account_id == account_id)
        .group_by(LessonStep.game)
    )
    return {game: frozenset(steps) for game, steps in (await session.execute(query))}
