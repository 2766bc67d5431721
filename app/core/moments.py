"""Moments in time as whole milliseconds since the Unix epoch, the unit of all clocks.

Rules that depend on the current moment read it here, or with `now()` in SQL, so that tests can move both. The
current moment is PostgreSQL's: `app.core.realtime.server_time` puts this process's clock right at every
heartbeat. That clock does not depend on the machine's date and time.
"""

import os
import time
from datetime import UTC, datetime, timedelta
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

CLOCK_FILE = "GORRION_CLOCK_FILE"
"""An environment variable for tests: names a file with the milliseconds to add to the system clock."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""Before everything that is stored."""

_MILLISECOND = timedelta(milliseconds=1)


# Suspending the machine stops the ordinary monotonic clock, but not PostgreSQL's time.
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def _milliseconds(clock: int) -> int:
    return time.clock_gettime_ns(clock) // 1_000_000


# How far the server's clock is ahead of the steady one; that of the machine, until PostgreSQL's sets it.
_ahead = _milliseconds(time.CLOCK_REALTIME) - _milliseconds(_STEADY)


def now() -> int:
    """Return the current moment by the server's clock."""
    return steady() + _ahead


def put_forward(milliseconds: int) -> None:
    """Put the server's clock forward in this process, or back by a negative number."""
    global _ahead  # noqa: PLW0603 - a process has one clock
    _ahead += milliseconds


def steady() -> int:
    """Return the milliseconds since an arbitrary moment, by a clock that nobody can set."""
    return _milliseconds(_STEADY) + _added()


def system_now() -> int:
    """Return the current moment by the clock of this machine, which may be set at any time."""
    return _milliseconds(time.CLOCK_REALTIME) + _added()


def utc_now() -> datetime:
    """Return the current moment as an aware datetime in UTC."""
    return to_datetime(now())


def to_datetime(moment: int) -> datetime:
    """Return a moment as an aware datetime in UTC, the form in which PostgreSQL stores it."""
    return EPOCH + moment * _MILLISECOND


def from_datetime(at: datetime) -> int:
    """Return an aware datetime as a moment, rounded down to the millisecond."""
    return (at - EPOCH) // _MILLISECOND


def _added() -> int:
    file = _clock_file()
    return 0 if file is None else int(file[:])


@cache
def _clock_file() -> mmap | None:
    name = os.environ.get(CLOCK_FILE)
    if not name:
        return None
    with Path(name).open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)
