"""Telling all readers to look again after a commit whose answer was lost: nobody else will."""

import asyncio

from app.core.database.session import Database
from app.core.realtime.bus import Bus

_LOOK_EVERY = 0.2  # seconds between two looks at a PostgreSQL that does not answer
_PAUSE = 0.5  # seconds between two announcements at least, however many commits are in doubt


class DoubtsAnnouncer:
    """Watches the commits of this process that are in doubt."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def run(self) -> None:
        """Announce until cancelled. Raise an exception if PostgreSQL is lost meanwhile."""
        doubts = self._database.doubts
        announced: set[int] = set()
        while True:
            await doubts.exist.wait()
            while not await self._database.answers():  # noqa: ASYNC110 - nothing announces it
                await asyncio.sleep(_LOOK_EVERY)
            if decided := await doubts.decided(self._database.pool):
                self._bus.resync()
            # Once more: behind a pooler, the session that commits is not the one that this process knows.
            doubts.settle(decided & announced)
            announced = decided
            await asyncio.sleep(_PAUSE)
