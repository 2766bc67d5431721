"""Moments in time as whole milliseconds since the Unix epoch, the unit of all clocks."""

import time
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def now() -> int:
    """Return the current moment by the server's clock."""
    return time.time_ns() // 1_000_000


def to_datetime(moment: int) -> datetime:
    """Return a moment as an aware datetime in UTC, the form in which PostgreSQL stores it."""
    return _EPOCH + moment * _MILLISECOND


def from_datetime(moment: datetime) -> int:
    """Return an aware datetime as a moment, rounded down to the millisecond."""
    return (moment - _EPOCH) // _MILLISECOND
