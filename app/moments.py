"""Moments as whole milliseconds since the Unix epoch: what clocks count with."""

import time
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def now() -> int:
    """Give this moment by the server's clock."""
    return time.time_ns() // 1_000_000


def to_datetime(moment: int) -> datetime:
    """Give a moment as PostgreSQL keeps it."""
    return _EPOCH + moment * _MILLISECOND


def from_datetime(moment: datetime) -> int:
    """Give a moment that PostgreSQL kept."""
    return (moment - _EPOCH) // _MILLISECOND
