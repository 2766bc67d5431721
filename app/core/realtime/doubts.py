"""Telling readers to look again: after a commit whose answer was lost, and after another process died."""

import asyncio
from typing import Final

from app.core.database.session import APPLICATION, Database
from app.core.realtime.bus import Bus
from app.core.realtime.hub import Hub

_LOOK_EVERY = 0.2  # seconds between two looks at a PostgreSQL that does not answer
_PAUSE = 0.5  # seconds between two announcements at least, however many commits are in doubt
_MISSED_WITHIN = 0.5  # seconds
_ALIVE = f"alive {APPLICATION} "

# A process that is dead may still have a session that commits: it is missed when that has ended.
_PRESENT: Final = """
SELECT application_name AS name, true AS is_alive FROM pg_stat_activity
WHERE datname = current_database() AND starts_with(application_name, $1)
UNION
SELECT left('alive ' || application_name, 63), false FROM pg_stat_activity
WHERE datname = current_database() AND starts_with('alive ' || application_name, $1) AND state <> 'idle'
"""


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


class DeathWatch:
    """Shows the other processes that this one is alive, and lets its own readers look again if one dies.

    That one may have committed what it could not tell any more. Each process keeps a connection to PostgreSQL
    under a name of its own; that of a process that dies is closed at once, and the others miss it.
    """

    def __init__(self, database: Database, hub: Hub) -> None:
        self._pool = database.pool
        self._hub = hub
        self._others: set[str] = set()

    async def run(self) -> None:
        """Watch until cancelled. Raise an exception if PostgreSQL is lost meanwhile."""
        async with self._pool.direct(application_name=f"alive {self._pool.name}") as connection:
            while True:
                rows = await connection.fetch(_PRESENT, _ALIVE)
                self._others |= {row["name"] for row in rows if row["is_alive"]}
                if dead := self._others - {row["name"] for row in rows}:
                    self._others -= dead
                    self._hub.resync()
                await asyncio.sleep(_MISSED_WITHIN)
