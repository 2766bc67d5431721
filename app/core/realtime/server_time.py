"""The server's time: PostgreSQL's, which every process follows and checks at each heartbeat.

Between two heartbeats a process counts by a clock that nobody can set. If that and PostgreSQL's come to
differ by more than a second, one has stepped, and the last heartbeat of any process shows which one. If it is
PostgreSQL's, the heartbeat row gets a correction, and the server's time goes on as before. If it is the
process's own, the process follows PostgreSQL's. In both cases it ends no game for a moment and is not ready.
"""

import asyncio
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import structlog

from app.core.database.statements import Connection
from app.core.moments import from_datetime, now, put_forward, steady, system_now, to_datetime
from app.core.realtime.downtimes import LONG, put_all_off

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import asyncpg

log = structlog.get_logger()

TOLERANCE = 1_000  # milliseconds by which two clocks may differ
DOWN_AFTER = 2_500  # milliseconds without a heartbeat from any process
_SETTLING = 2_000  # milliseconds after a step in which the process's clock is not trusted
_COMPARABLE = 600_000  # milliseconds for which good clocks differ by less than the tolerance
_FOLLOW_EVERY = 1.0  # seconds

# The heartbeat of ordinary times, when the clocks agree and nothing was down. Nobody waits for the disk.
_BEAT = """
UPDATE heartbeat SET beat_at = greatest(beat_at, moment)
FROM (SELECT $1::timestamptz AS moment, $2 * interval '1 ms' AS gap, $3 * interval '1 ms' AS tolerance) own
WHERE beat_at BETWEEN moment - gap AND moment + gap
    AND clock_timestamp() + correction * interval '1 ms' BETWEEN moment - tolerance AND moment + tolerance
RETURNING clock_timestamp() + correction * interval '1 ms', set_config('synchronous_commit', 'off', true)
"""
_HEARTBEAT = "SELECT beat_at, correction FROM heartbeat"
# A host that vanishes within a beat must not keep the row locked until TCP notices that it is gone.
_BEGIN = "SET LOCAL synchronous_commit = off; SET LOCAL idle_in_transaction_session_timeout = '2s'"
_STORE = "UPDATE heartbeat SET beat_at = $1, correction = $2"


class Stepped(StrEnum):
    """Which clock was set or stopped: PostgreSQL's, the one by which a process counts, or its machine's."""

    DATABASE = "database"
    PROCESS = "process"
    SYSTEM = "system"


class Reading(NamedTuple):
    """The server's time by PostgreSQL's clock, and by the process's own before and after reading that one."""

    database: int
    before: int
    after: int

    @property
    def lead(self) -> int:
        """Return by how much PostgreSQL's clock is ahead at least, in milliseconds; negative if behind."""
        return max(0, self.database - self.after) - max(0, self.before - self.database)


@dataclass(frozen=True, slots=True)
class Downtime:
    """A time without a heartbeat from any process. It ends before it begins if clocks were set back."""

    since: int
    until: int


def stepped(reading: Reading, last_beat: int) -> Stepped | None:
    """Return which clock has stepped, or None if both agree.

    The one that goes on from the last heartbeat of any process is right. If neither does, PostgreSQL's was
    set, since a process counts by a clock that nobody can set.
    """
    if abs(reading.lead) <= TOLERANCE:
        return None
    if _follows(reading.database, last_beat) and not _follows(reading.after, last_beat):
        return Stepped.PROCESS
    return Stepped.DATABASE


def _follows(moment: int, last_beat: int) -> bool:
    return -TOLERANCE <= moment - last_beat <= DOWN_AFTER


class ServerTime:
    """The server's time in one process."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool
        self._read_at: int | None = None  # by the steady clock
        self._beat_at: int | None = None
        self._trusted_from = 0
        self._system_ahead = 0

    @property
    def is_trusted(self) -> bool:
        """Return whether no clock has stepped just now, so that games may be ended by their deadlines."""
        return steady() >= self._trusted_from

    async def check(self) -> None:
        """Raise RuntimeError while a step of a clock is settling."""
        if not self.is_trusted:
            raise RuntimeError("a clock has stepped")

    @property
    def is_stale(self) -> bool:
        """Return whether this process has not beaten for so long that there may have been a downtime."""
        return self._beat_at is None or steady() - self._beat_at > DOWN_AFTER

    async def beat(self, on_downtime: "Callable[[Connection, Downtime], Awaitable[None]]") -> int:
        """Record that the server is alive, check this process's clock, and return the moment of that.

        Of the processes that come back after a downtime, one awaits `on_downtime` in its transaction, and
        puts deadlines off if it was long.
        """
        beat_at = await self._beat_as_usual() if self._is_comparable else None
        if beat_at is None:
            beat_at = await self._beat_after_trouble(on_downtime)
        self._beat_at = steady()
        return beat_at

    async def _beat_as_usual(self) -> int | None:
        """Beat and return the moment, or return None if a clock has stepped or the server was down."""
        before = now()
        database = await self._pool.fetchval(_BEAT, to_datetime(before), DOWN_AFTER, TOLERANCE)
        if database is None:
            return None
        self._check(Reading(from_datetime(database), before, now()), before)
        return before

    async def _beat_after_trouble(
        self, on_downtime: "Callable[[Connection, Downtime], Awaitable[None]]"
    ) -> int:
        """Find out which clock is wrong and whether the server was down, beat, and return the moment."""
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute(_BEGIN)
            last, correction = await _last_beat(connection, f"{_HEARTBEAT} FOR UPDATE")
            reading = await _read(connection, correction)
            is_first = not self._is_comparable
            if is_first and abs(reading.database - last) > DOWN_AFTER:
                # No process depends on the corrected time any longer.
                reading = reading._replace(database=reading.database - correction)
                correction = 0
            if self._check(reading, last) is Stepped.DATABASE:
                correction -= reading.lead
            beat_at = now()
            if abs(beat_at - last) > DOWN_AFTER:
                await on_downtime(connection, Downtime(last, beat_at))
            if beat_at - last > LONG:
                await put_all_off(connection, to_datetime(last), to_datetime(beat_at))
            await connection.execute(_STORE, to_datetime(beat_at), correction)
        return beat_at

    async def follow(self) -> None:
        """Check this process's clock every second until cancelled, without recording heartbeats.

        Workers do this: while nothing but workers runs, no player can reach the server.
        """
        while True:
            async with self._pool.acquire() as connection:
                last, correction = await _last_beat(connection, _HEARTBEAT)
                self._check(await _read(connection, correction), last)
            await asyncio.sleep(_FOLLOW_EVERY)

    @property
    def _is_comparable(self) -> bool:
        return self._read_at is not None and steady() - self._read_at <= _COMPARABLE

    def _check(self, reading: Reading, last_beat: int) -> Stepped | None:
        """Set this process's clock by a reading, unless PostgreSQL's has stepped. Return which one has."""
        step = stepped(reading, last_beat) if self._is_comparable else None
        if step is not None:
            self._distrust(step, reading.lead)
        if step is not Stepped.DATABASE:
            put_forward(reading.lead)
        self._check_system_clock()
        self._read_at = steady()
        return step

    def _check_system_clock(self) -> None:
        """Log that the date and time of this machine were set, although nothing here depends on them."""
        ahead = system_now() - now()
        if self._read_at is None and abs(ahead) > TOLERANCE:
            log.warning("system_clock_differs", milliseconds=ahead)
        elif self._is_comparable and abs(ahead - self._system_ahead) > TOLERANCE:
            self._distrust(Stepped.SYSTEM, ahead - self._system_ahead)
        self._system_ahead = ahead

    def _distrust(self, clock: Stepped, milliseconds: int) -> None:
        log.error("clock_stepped", clock=clock, milliseconds=milliseconds)
        self._trusted_from = steady() + _SETTLING


async def _last_beat(connection: Connection, query: str) -> tuple[int, int]:
    row = await connection.fetchrow(query)
    assert row is not None
    return from_datetime(row["beat_at"]), row["correction"]


async def _read(connection: Connection, correction: int) -> Reading:
    before = now()
    database = await connection.fetchval("SELECT clock_timestamp()")
    return Reading(from_datetime(database) + correction, before, now())
