"""Moments in time as whole milliseconds since the Unix epoch, the unit of all clocks.

Rules that depend on the present moment read it here, or with `now()` in SQL, so that tests can move both.
"""

import os
import time
from datetime import UTC, datetime, timedelta
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

CLOCK_FILE = "GORRION_CLOCK_FILE"
"""An environment variable for tests: names a file with the milliseconds to add to the system clock."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def now() -> int:
    """Return the current moment by the server's clock."""
    return time.time_ns() // 1_000_000 + _added()


def utc_now() -> datetime:
    """Return the current moment as an aware datetime in UTC."""
    return to_datetime(now())


def to_datetime(moment: int) -> datetime:
    """Return a moment as an aware datetime in UTC, the form in which PostgreSQL stores it."""
    return _EPOCH + moment * _MILLISECOND


def from_datetime(moment: datetime) -> int:
    """Return an aware datetime as a moment, rounded down to the millisecond."""
    return (moment - _EPOCH) // _MILLISECOND


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
