"""Time that counts for a clock: all of it, or all but weekends, and none of it while the clock stands still.

Moments are milliseconds since the Unix epoch. A weekend is Saturday and Sunday in UTC, which has no
daylight-saving time. A stop is the moment at which a clock came to stand still, and that at which it goes on.
"""

Stop = tuple[int, int]

_DAY = 24 * 60 * 60 * 1000
_WEEK, _WEEKDAYS = 7 * _DAY, 5 * _DAY
_MONDAY = 4 * _DAY  # 5 January 1970


def between(start: int, end: int, *, weekends_off: bool = False, stop: Stop | None = None) -> int:
    """Return the milliseconds from a moment to another that count; 0 if the other is not later."""
    if end <= start:
        return 0
    counted = _position(end, weekends_off) - _position(start, weekends_off)
    if stop is not None:
        counted -= between(max(start, stop[0]), min(end, stop[1]), weekends_off=weekends_off)
    return counted


def after(start: int, duration: int, *, weekends_off: bool = False, stop: Stop | None = None) -> int:
    """Return the first moment by which `duration` (at least 1) milliseconds from `start` on have counted."""
    end = _moment(start, _position(start, weekends_off) + duration, weekends_off)
    if stop is None or end <= stop[0] or start >= stop[1]:
        return end
    lost = between(max(start, stop[0]), stop[1], weekends_off=weekends_off)
    return _moment(start, _position(start, weekends_off) + duration + lost, weekends_off)


def beginning(end: int, duration: int, *, weekends_off: bool = False) -> int:
    """Return the first moment from which `duration` milliseconds have counted by another moment."""
    return _moment(0, _position(end, weekends_off) - duration, weekends_off)


def next_stop(start: int, *, weekends_off: bool = False, stop: Stop | None = None) -> Stop | None:
    """Return the first stop, of the clock or for a weekend, that ends after a moment, or None."""
    stops = [] if stop is None or stop[1] <= start else [stop]
    if weekends_off:
        saturday = (start - _MONDAY) // _WEEK * _WEEK + _MONDAY + _WEEKDAYS
        stops.append((saturday, saturday + _WEEK - _WEEKDAYS))
    return min(stops, default=None)


def _position(moment: int, weekends_off: bool) -> int:
    """Return the milliseconds up to a moment that count, from a fixed moment on."""
    if not weekends_off:
        return moment
    weeks, rest = divmod(moment - _MONDAY, _WEEK)
    return weeks * _WEEKDAYS + min(rest, _WEEKDAYS)


def _moment(start: int, position: int, weekends_off: bool) -> int:
    """Return the first moment, not before `start`, with a position."""
    if not weekends_off:
        return position
    weeks, rest = divmod(position - 1, _WEEKDAYS)
    return max(start, _MONDAY + weeks * _WEEK + rest + 1)
