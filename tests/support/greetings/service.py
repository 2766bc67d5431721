"""Leaving and reading greetings."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select, text

from app.core.database.session import Database
from app.people.identity.service import Identity
from tests.support.greetings.models import Greeting

_MOST = 20
_KEPT_FOR = text("interval '30 days'")


class Greetings:
    """The greetings of the server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest(self) -> Sequence[str]:
        """Return the last greetings, the newest first."""
        async with self._database.reading_now() as session:
            found = await session.scalars(select(Greeting.text).order_by(Greeting.id.desc()).limit(_MOST))
            return found.all()

    async def leave(self, identity: Identity, greeting: str) -> None:
        """Leave a greeting for everybody."""
        async with self._database.transaction() as session:
            session.add(Greeting(account_id=identity.id, text=greeting))

    async def delete_old(self) -> None:
        """Delete the greetings that are older than 30 days."""
        async with self._database.transaction() as session:
            await session.execute(delete(Greeting).where(Greeting.said_at < func.now() - _KEPT_FOR))
