"""Leaving and reading greetings."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select, text

from app.core.database.session import Database
from app.core.realtime.bus import Bus
from app.people.identity.service import Identity
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify
from tests.support.greetings.models import Greeting

_MOST = 20
_KEPT_FOR = text("interval '30 days'")


class Greetings:
    """The greetings of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def latest(self) -> Sequence[str]:
        """Return the last greetings, the newest first."""
        async with self._database.reading_now() as session:
            found = await session.scalars(select(Greeting.text).order_by(Greeting.id.desc()).limit(_MOST))
            return found.all()

    async def leave(self, identity: Identity, greeting: str) -> None:
        """Leave a greeting for everybody, and notify the player who left the one before."""
        last = select(Greeting.account_id).order_by(Greeting.id.desc()).limit(1)
        async with self._database.transaction() as session:
            greeted = await session.scalar(last.where(Greeting.account_id != identity.id))
            left = Greeting(account_id=identity.id, text=greeting)
            session.add(left)
            await session.flush()
            if greeted is not None:
                await notify(session, News(greeted, NewsKind.GREETED, str(left.id), identity.id))
        if greeted is not None:
            self._bus.publish(InboxChanged((greeted,)))

    async def delete_old(self) -> None:
        """Delete the greetings that are older than 30 days."""
        async with self._database.transaction() as session:
            await session.execute(delete(Greeting).where(Greeting.said_at < func.now() - _KEPT_FOR))
