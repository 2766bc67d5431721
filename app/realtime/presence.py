"""Who is connected: people and programs on any process, at a game or anywhere on the site.

Each process stores its connections in PostgreSQL, and a heartbeat every second; the connections of a dead
process count as closed since its last heartbeat. Short absences, as between two pages, do not count.
"""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import uuid4

import asyncpg
import structlog

from app.events import PresenceChanged
from app.moments import utc_now
from app.realtime.bus import Bus

log = structlog.get_logger()

ABSENT_AFTER = 5.0  # seconds; shorter absences do not count
SITE = ""
_BEAT_EVERY = 1.0  # seconds
_DEAD_AFTER = 5.0  # seconds without a heartbeat
_KEPT = 600.0  # seconds that a closed connection is remembered
_FORGET_EVERY = 60  # heartbeats

_ALIVE = "EXISTS (SELECT FROM processes p WHERE p.id = c.process_id)"

_LOST = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)

_COME = """
INSERT INTO connections (process_id, account_id, place)
SELECT $1, $2, place FROM unnest($3::text[]) AS place RETURNING id
"""

_BEAT = """
INSERT INTO processes (id, beat_at) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at
"""

_REAP = """
WITH dead AS (
    DELETE FROM processes WHERE beat_at < $1 RETURNING id, beat_at
)
UPDATE connections c SET left_at = dead.beat_at FROM dead
WHERE c.process_id = dead.id AND c.left_at IS NULL
RETURNING c.account_id, c.place
"""

_FORGET = "DELETE FROM connections WHERE left_at < $1"

_ONLINE = f"""
SELECT DISTINCT account_id FROM connections c
WHERE account_id = ANY($1) AND {_ALIVE}
  AND (left_at IS NULL OR left_at > $2)
"""  # noqa: S608 - our own text

_AT = f"""
SELECT account_id, count(*) AS connections FROM connections c
WHERE place = $1 AND left_at IS NULL AND {_ALIVE}
GROUP BY account_id
"""  # noqa: S608

_LEFT = f"""
SELECT CASE WHEN bool_or(left_at IS NULL AND {_ALIVE}) THEN NULL ELSE max(left_at) END AS left_at,
       coalesce(bool_or(left_at IS NULL AND {_ALIVE}), false) AS here
FROM connections c WHERE account_id = $1 AND place = ANY($2)
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is at a place: the accounts, and the number of visitors without one."""

    accounts: frozenset[int]
    strangers: int


class Presence:
    """The connections of this process, and what all processes know of who is there."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", bus: Bus) -> None:
        self._pool = pool
        self._bus = bus
        self._process = uuid4()
        self._gone: list[Callable[[int], Awaitable[None]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def when_gone(self, tell: Callable[[int], Awaitable[None]]) -> None:
        """Register a callback for accounts that go offline."""
        self._gone.append(tell)

    async def start(self) -> None:
        """Record that this process is alive, again and again until `stop`."""
        await self._beat()
        self._keep(self._beat_on())

    async def stop(self) -> None:
        """Close the connections that are still open."""
        for task in tuple(self._tasks):
            task.cancel()
        with contextlib.suppress(*_LOST):
            await self._pool.execute(
                "UPDATE connections SET left_at = $2 WHERE process_id = $1 AND left_at IS NULL",
                self._process,
                utc_now(),
            )

    @contextlib.asynccontextmanager
    async def here(self, account_id: int | None, *places: str) -> AsyncIterator[None]:
        """Count an account (None: a visitor without one) as present at places within this context."""
        ids: list[asyncpg.Record] = []
        try:
            ids = await self._write(_COME, self._process, account_id, list(places))
        except _LOST as error:
            log.warning("presence_lost", error=repr(error))
        self._announce(places)
        try:
            yield
        finally:
            # In the background, because the socket's own task may be cancelled already.
            self._keep(self._leave([row["id"] for row in ids], account_id, places))

    async def online(self, account_ids: Collection[int]) -> frozenset[int]:
        """Return which of these accounts are connected, or were a moment ago."""
        rows = await self._pool.fetch(_ONLINE, list(account_ids), _ago(ABSENT_AFTER))
        return frozenset(row["account_id"] for row in rows)

    async def at(self, place: str) -> Attendance:
        """Return who is at a place."""
        rows = await self._pool.fetch(_AT, place)
        strangers = sum(row["connections"] for row in rows if row["account_id"] is None)
        return Attendance(frozenset(row["account_id"] for row in rows if row["account_id"]), strangers)

    async def absent_since(self, account_id: int, *places: str) -> tuple[bool, datetime | None]:
        """Return whether an account is absent from all these places, and since when (None: it never came)."""
        row = await self._pool.fetchrow(_LEFT, account_id, list(places))
        assert row is not None
        return not row["here"], row["left_at"]

    async def _leave(self, ids: list[int], account_id: int | None, places: tuple[str, ...]) -> None:
        try:
            await self._write(
                "UPDATE connections SET left_at = $2 WHERE id = ANY($1) RETURNING id", ids, utc_now()
            )
            self._announce(places)
            if account_id is not None:
                await asyncio.sleep(ABSENT_AFTER)
                await self._look_for([account_id])
                self._announce(places)
        except _LOST as error:
            log.warning("presence_lost", error=repr(error))

    async def _beat_on(self) -> None:
        for number in itertools.count(1):
            await asyncio.sleep(_BEAT_EVERY)
            try:
                await self._beat()
                if number % _FORGET_EVERY == 0:
                    await self._write(_FORGET, _ago(_KEPT))
            except _LOST as error:
                log.warning("presence_lost", error=repr(error))

    async def _beat(self) -> None:
        await self._write(_BEAT, self._process, utc_now())
        reaped = await self._write(_REAP, _ago(_DEAD_AFTER))
        if reaped:
            self._announce({row["place"] for row in reaped})
            await self._look_for({row["account_id"] for row in reaped if row["account_id"] is not None})

    async def _look_for(self, account_ids: Collection[int]) -> None:
        for account_id in set(account_ids) - await self.online(account_ids):
            for tell in self._gone:
                await tell(account_id)

    async def _write(self, query: str, *values: object) -> list[asyncpg.Record]:
        # These rows need not survive a crash of PostgreSQL, so there is no need to wait for its disk.
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SET LOCAL synchronous_commit = off")
            return await connection.fetch(query, *values)

    def _announce(self, places: Collection[str]) -> None:
        for place in places:
            if place != SITE:
                self._bus.publish(PresenceChanged(place))

    def _keep(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _ago(seconds: float) -> datetime:
    return utc_now() - timedelta(seconds=seconds)
