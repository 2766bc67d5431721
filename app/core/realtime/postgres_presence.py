"""Presence in PostgreSQL: a row for each open connection, and a heartbeat of each process every second.

Other processes close the connections of one that is silent.
"""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

from app.core.moments import now, to_datetime, utc_now
from app.core.realtime.bus import Bus
from app.core.realtime.presence import ABSENT_AFTER, TOLD_WITHIN, Attendance, PresenceAnnouncer

if TYPE_CHECKING:
    import asyncpg

    from app.core.database.pools import MovesPool

    Connection = asyncpg.Connection[asyncpg.Record]

_BEAT_EVERY = 1.0  # seconds
_DEAD_AFTER = 5.0  # seconds without a heartbeat
_KEPT = 600.0  # seconds that a closed connection is remembered
_FORGET_EVERY = 60  # heartbeats
_STORE_WITHIN = 5.0  # seconds that a connection waits until others can see it
_STOP_WITHIN = 2.0  # seconds

_JOIN = "INSERT INTO processes (id, beat_at) VALUES ($1, $2)"

# The ids ascend in the order of the rows.
_COME = """
INSERT INTO connections (process_id, account_id, place)
SELECT $1, account_id, place
FROM unnest($2::bigint[], $3::text[]) WITH ORDINALITY AS came(account_id, place, number) ORDER BY number
RETURNING id
"""

_LEAVE = "UPDATE connections SET left_at = $2 WHERE id = ANY($1)"

# Of the earlier signs of life and visits, the latest one is enough.
_SIGN = """
WITH sign AS (SELECT * FROM unnest($3::bigint[], $4::text[]) AS sign(account_id, place)),
earlier AS (
    DELETE FROM connections c USING sign
    WHERE c.account_id = sign.account_id AND c.place = sign.place AND c.left_at IS NOT NULL
)
INSERT INTO connections (process_id, account_id, place, left_at)
SELECT $1, account_id, place, $2 FROM sign
"""

# A silent process may have had players until a moment ago: their absence begins when it is noticed. One that
# another process took for dead closes no connections. There is a row without an account for the process.
# Whoever left a process in its last seconds is noted, too: it may not have told that any more.
_BEAT = """
WITH beaten AS (
    UPDATE processes SET beat_at = $2 WHERE id = $1 RETURNING id
), dead AS (
    DELETE FROM processes WHERE beat_at < $3 AND id <> $1 AND EXISTS (SELECT FROM beaten)
    RETURNING id, beat_at
), reaped AS (
    UPDATE connections c SET left_at = coalesce(c.left_at, $2) FROM dead
    WHERE c.process_id = dead.id
        AND (c.left_at IS NULL OR c.left_at > dead.beat_at - $4::interval)
    RETURNING c.account_id, c.place
)
SELECT account_id, place FROM beaten LEFT JOIN reaped ON true
"""

_FORGET = "DELETE FROM connections WHERE left_at < $1"

_ONLINE = """
SELECT DISTINCT account_id FROM connections JOIN processes ON processes.id = process_id
WHERE account_id = ANY($1) AND (left_at IS NULL OR left_at > $2)
"""

_AT = """
SELECT account_id, count(*) AS connections FROM connections JOIN processes ON processes.id = process_id
WHERE place = $1 AND left_at IS NULL
GROUP BY account_id
"""

_LEFT = """
SELECT CASE WHEN bool_or(is_open) THEN NULL ELSE max(left_at) END AS left_at,
       coalesce(bool_or(is_open), false) AS here
FROM (
    SELECT left_at, left_at IS NULL AND processes.id IS NOT NULL AS is_open
    FROM connections LEFT JOIN processes ON processes.id = process_id
    WHERE account_id = $1 AND place = ANY($2)
) visits
"""


@dataclass(eq=False, slots=True)
class _Visit(contextlib.AbstractAsyncContextManager[None]):
    """An open connection within the context, and the ids of its rows once it is stored."""

    presence: "PostgresPresence"
    account_id: int | None
    places: tuple[str, ...]
    ids: list[int] = field(default_factory=list)
    stored: "asyncio.Future[None] | None" = None
    """Done when it is stored, while somebody waits for that."""

    async def __aenter__(self) -> None:
        self.stored = asyncio.get_running_loop().create_future()
        self.presence.come(self)
        try:
            # If PostgreSQL is away, the connection is served all the same, and stored later.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_STORE_WITHIN):
                    await self.stored
        except BaseException:
            self.presence.leave(self)
            raise
        finally:
            self.stored = None

    async def __aexit__(self, *_error: object) -> None:
        self.presence.leave(self)


class PostgresPresence:
    """The presence of one process; `run` stores who comes and goes."""

    def __init__(self, pool: "MovesPool", bus: Bus) -> None:
        self.process_id = uuid4()
        self.joined = asyncio.Event()
        self._pool = pool
        self.departures = PresenceAnnouncer(bus, self.gone)
        self._joined_at: int | None = None
        self._beaten_at = 0.0  # by the monotonic clock
        self._open: set[_Visit] = set()
        self._open_at: Counter[tuple[int | None, str]] = Counter()
        self._coming: list[_Visit] = []
        self._leaving: list[_Visit] = []
        self._signs: set[tuple[int, str]] = set()
        self._changed = asyncio.Event()

    @property
    def watching_since(self) -> int | None:
        """The moment since which this process would have seen anyone come, or None while it might not."""
        is_awake = time.monotonic() - self._beaten_at < _DEAD_AFTER
        return self._joined_at if is_awake else None

    def here(self, account_id: int | None, *places: str) -> contextlib.AbstractAsyncContextManager[None]:
        """Count an account (None: a stranger) as being at places for as long as this context lasts."""
        return _Visit(self, account_id, places)

    def come(self, visit: _Visit) -> None:
        """Count a connection, and store it soon."""
        self._open.add(visit)
        self._open_at.update((visit.account_id, place) for place in visit.places)
        self._coming.append(visit)
        self._changed.set()

    def leave(self, visit: _Visit) -> None:
        """Forget a connection, and store its end soon."""
        self._open.discard(visit)
        for place in visit.places:
            self._open_at[visit.account_id, place] -= 1
            if not self._open_at[visit.account_id, place]:
                del self._open_at[visit.account_id, place]
        self._leaving.append(visit)
        self._changed.set()

    def seen(self, account_id: int, place: str) -> None:
        """Note a page load or a move by HTTP: a sign of life, also without an open connection."""
        if not self._open_at[account_id, place]:
            self._signs.add((account_id, place))

    async def online(self, account_ids: Collection[int]) -> frozenset[int]:
        """Return which of these accounts are connected, or were a moment ago."""
        if not account_ids:
            return frozenset()
        rows = await self._pool.fetch(_ONLINE, list(account_ids), _ago(ABSENT_AFTER))
        return frozenset(row["account_id"] for row in rows)

    async def gone(self, account_ids: Collection[int]) -> frozenset[int]:
        """Return which of these accounts are not connected, and were not a moment ago."""
        return frozenset(account_ids) - await self.online(account_ids)

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

    async def run(self) -> None:
        """Store who comes and goes, and a heartbeat every second, until cancelled.

        Raise an exception if that fails, or if another process took this one for dead. Run again, it starts
        over under a new id: what an interrupted attempt stored is closed with the old one.
        """
        self.process_id = uuid4()
        self._coming, leaving, self._leaving = list(self._open), self._leaving, []
        self.departures.note(_rows(leaving))
        try:
            # None of this has to outlive a crash of PostgreSQL, so nobody waits for its disk.
            async with self._pool.direct(synchronous_commit="off") as connection:
                await self._join(connection)
                await self._keep_up(connection)
        finally:
            self.joined.clear()
            self._joined_at = None

    async def stop(self) -> None:
        """Close the connections of this process: it shuts down."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_STOP_WITHIN):
                await self._pool.execute(
                    "UPDATE connections SET left_at = $2 WHERE process_id = $1 AND left_at IS NULL",
                    self.process_id,
                    utc_now(),
                )

    async def _join(self, connection: "Connection") -> None:
        joined_at = now()
        await connection.execute(_JOIN, self.process_id, to_datetime(joined_at))
        await self._store(connection)
        self._joined_at = joined_at
        self._beaten_at = time.monotonic()
        self.joined.set()

    async def _keep_up(self, connection: "Connection") -> None:
        beats = 0
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._beaten_at + _BEAT_EVERY - time.monotonic()):
                    await self._changed.wait()
            self._changed.clear()
            await self._store(connection)
            if time.monotonic() - self._beaten_at >= _BEAT_EVERY:
                await self._beat(connection)
                beats += 1
                if beats % _FORGET_EVERY == 0:
                    await connection.execute(_FORGET, _ago(_KEPT))

    async def _beat(self, connection: "Connection") -> None:
        self._check_not_silent()  # it must not take others for dead, which were perhaps stopped with it
        rows = await connection.fetch(_BEAT, self.process_id, utc_now(), _ago(_DEAD_AFTER), TOLD_WITHIN)
        reaped = [(row["account_id"], row["place"]) for row in rows]
        self.departures.note([visit for visit in reaped if visit[1] is not None])
        if not rows:
            raise _silent_error()
        self._check_not_silent()
        self._beaten_at = time.monotonic()

    def _check_not_silent(self) -> None:
        if time.monotonic() - self._beaten_at > _DEAD_AFTER:
            raise _silent_error()

    async def _store(self, connection: "Connection") -> None:
        coming, self._coming = self._coming, []
        left = len(self._leaving)  # who leaves from now on may have come too late to be stored now
        if coming:
            came = _rows(coming)
            accounts, places = zip(*came, strict=True)
            stored = await connection.fetch(_COME, self.process_id, accounts, places)
            ids = iter(sorted(row["id"] for row in stored))
            for visit in coming:
                visit.ids = [next(ids) for _ in visit.places]
                if visit.stored is not None and not visit.stored.done():
                    visit.stored.set_result(None)
            self.departures.arrive(came)
        leaving, self._leaving = self._leaving[:left], self._leaving[left:]
        if leaving:
            await connection.execute(_LEAVE, [id_ for visit in leaving for id_ in visit.ids], utc_now())
            self.departures.note(_rows(leaving))
        if signs := tuple(self._signs):
            accounts, places = zip(*signs, strict=True)
            await connection.execute(_SIGN, self.process_id, utc_now(), accounts, places)
            self._signs.difference_update(signs)


def _ago(seconds: float) -> datetime:
    return utc_now() - timedelta(seconds=seconds)


def _rows(visits: Collection[_Visit]) -> list[tuple[int | None, str]]:
    return [(visit.account_id, place) for visit in visits for place in visit.places]


def _silent_error() -> ConnectionResetError:
    return ConnectionResetError("this process was silent for too long")
