"""Lessons: the progress of players, kept by account."""

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.learn.lessons.courses import COURSES
from app.learn.lessons.models import LessonStep
from app.people.identity.service import Identity

Progress = Mapping[str, frozenset[str]]
"""The keys of the steps passed in each course, by game."""


class Lessons:
    """The progress of players through the courses."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, viewer: Identity | None) -> Progress:
        """Return the steps that an account has passed; none for a visitor."""
        none = dict.fromkeys(COURSES, frozenset[str]())
        if viewer is None:
            return none
        query = (
            select(LessonStep.game, func.array_agg(LessonStep.step))
            .where(LessonStep.account_id == viewer.id)
            .group_by(LessonStep.game)
        )
        async with self._database.reading_now() as session:
            return none | {game: frozenset(steps) for game, steps in await session.execute(query)}

    async def passed(self, identity: Identity, game: str, step: str) -> None:
        """Record that an account has passed a step; doing so again changes nothing."""
        async with self._database.transaction() as session:
            row = insert(LessonStep).values(account_id=identity.id, game=game, step=step)
            await session.execute(row.on_conflict_do_nothing())
