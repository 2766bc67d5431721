"""Lessons: the progress of players, kept by account."""

from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.learn.lessons import queries
from app.learn.lessons.models import LessonStep
from app.learn.lessons.queries import Progress


class Lessons:
    """The progress of players through the courses."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, account_id: int | None) -> Progress:
        """Return the steps that an account has passed; none for a visitor without an account."""
        if account_id is None:
            return {}
        async with self._database.reading_now() as session:
            return await queries.progress(session, account_id)

    async def progress_in(self, account_id: int | None, game: str) -> frozenset[str]:
        """Return the steps of one course that an account has passed."""
        return (await self.progress(account_id)).get(game, frozenset())

    async def passed(self, account_id: int, game: str, step: str) -> None:
        """Record that an account has passed a step; doing so again changes nothing."""
        async with self._database.transaction() as session:
            row = insert(LessonStep).values(account_id=account_id, game=game, step=step)
            await session.execute(row.on_conflict_do_nothing())
