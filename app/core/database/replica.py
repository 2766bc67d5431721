"""A streaming replica of the database, for reading what may be a little old.

A request says that it may (`tolerate_delay`), and `Database.reading` then uses the replica while that is
close behind. What the replica lacks is known from positions in the write-ahead log, so no clock is compared.
"""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

import structlog

from app.core import metrics

if TYPE_CHECKING:
    from app.core.database.session import Database

_LOOK_EVERY = 0.5  # seconds
_ANSWER_WITHIN = 1.0  # seconds
_MOST_POSITIONS = 1_000  # a replica further behind counts as far behind until it has caught up

WRITTEN = "SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn"
REPLAYED = "SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn"

log = structlog.get_logger()

_tolerates_delay: ContextVar[bool] = ContextVar("tolerates_delay", default=False)


@contextlib.contextmanager
def tolerate_delay() -> Iterator[None]:
    """Allow reading from the replica in this context."""
    token = _tolerates_delay.set(True)
    try:
        yield
    finally:
        _tolerates_delay.reset(token)


class Replica:
    """A replica, whether it is close behind, and its connections as a `Database`."""

    def __init__(self, database: "Database", most_behind: float) -> None:
        self.database = database
        self._most_behind = most_behind
        self._same_until = float("-inf")  # by the monotonic clock
        self._positions: deque[tuple[float, int]] = deque(maxlen=_MOST_POSITIONS)
        self._is_close_logged = False

    @property
    def is_usable(self) -> bool:
        """Whether this context may read from it, and it is at most `most_behind` seconds behind."""
        return _tolerates_delay.get() and self._behind <= self._most_behind

    def give_up(self) -> None:
        """Treat the replica as far behind until the next look: it does not answer."""
        self._same_until = float("-inf")

    async def follow(self, primary: "Database") -> None:
        """Look how far behind the replica is, until cancelled.

        Without an answer, of the replica or of the primary, it counts as further and further behind.
        """
        while True:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(_ANSWER_WITHIN):
                    await self._look(primary)
            self._report()
            await asyncio.sleep(_LOOK_EVERY)

    @property
    def _behind(self) -> float:
        return time.monotonic() - self._same_until

    async def _look(self, primary: "Database") -> None:
        asked_at = time.monotonic()
        self._positions.append((asked_at, await primary.pool.fetchval(WRITTEN)))
        replayed = await self.database.pool.fetchval(REPLAYED)
        while self._positions and self._positions[0][1] <= replayed:
            self._same_until, _ = self._positions.popleft()

    def _report(self) -> None:
        metrics.REPLICA_SECONDS.set(self._behind)
        is_close = self._behind <= self._most_behind
        if is_close != self._is_close_logged:
            self._is_close_logged = is_close
            log.warning("replica_in_use" if is_close else "replica_behind")
