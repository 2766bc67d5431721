"""Numbers, dates and lists as readers of a language write them."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache

from babel import dates, lists

from app.core.i18n.languages import current, locale

_LENGTHS = (86_400, 3_600, 60)  # seconds


def number(value: float) -> str:
    """Return a number with up to six significant digits in the reader's language: "12.5", "12,5"."""
    return number_in(current(), value)


@lru_cache(4096)
def number_in(language: str, value: float) -> str:
    """Return a number in a language: "12.5", "12,5"; with a true minus sign."""
    return _spelled(language, f"{value:g}")


def decimal(figure: str) -> str:
    """Return a figure with the decimal sign of the reader's language: "35.60", "35,60"."""
    return _spelled(current(), figure)


def signed(value: float, decimals: int = 0) -> str:
    """Return a number with its sign and so many decimals in the reader's language: "+3", "+1.5", "0"."""
    return _signed_in(current(), round(value, decimals) or 0.0, decimals)  # 0.0 equals -0.0, which has a sign


@lru_cache(4096)
def _signed_in(language: str, rounded: float, decimals: int) -> str:
    return _spelled(language, f"{rounded:{'+' if rounded else ''}.{decimals}f}")


def _spelled(language: str, figure: str) -> str:
    return figure.replace(".", _point_in(language)).replace("-", "\N{MINUS SIGN}")


@cache
def _point_in(language: str) -> str:
    return str(locale(language).number_symbols["latn"]["decimal"])


def day_in(language: str, day: date) -> str:
    """Return a day, or the day of a moment, in a language: "21 Nov 2026"."""
    return _day_in(language, day.date() if isinstance(day, datetime) else day)


@lru_cache(4096)
def _day_in(language: str, day: date) -> str:
    return dates.format_date(day, "medium", locale(language))


@lru_cache(256)
def month_in(language: str, month: date) -> str:
    """Return the month of a day in a language: "November 2026"."""
    return dates.format_skeleton("yMMMM", month, locale=locale(language))


@lru_cache(256)
def quarter_in(language: str, quarter: date) -> str:
    """Return the quarter of a day in a language: "4th quarter 2026"."""
    return dates.format_skeleton("yQQQQ", quarter, locale=locale(language))


def moment_in(language: str, at: datetime, *, seconds: bool = False) -> str:
    """Return a moment in a language: "21 Nov 2026, 18:05 UTC"."""
    shown = at.replace(microsecond=0) if seconds else at.replace(second=0, microsecond=0)
    return f"{day_in(language, at)}, {_time_in(language, shown.time(), seconds)} UTC"


@lru_cache(4096)
def _time_in(language: str, at: time, has_seconds: bool) -> str:
    return dates.format_time(at, "medium" if has_seconds else "short", locale=locale(language))


def away_in(language: str, away: timedelta) -> str:
    """Return how far away a moment is in a language, in whole minutes, hours or days: "in 25 minutes"."""
    seconds = abs(away.total_seconds())
    length = next((length for length in _LENGTHS if seconds >= length), _LENGTHS[-1])
    whole = max(1, seconds // length) * length
    shown = timedelta(seconds=-whole if away < timedelta() else whole)
    return dates.format_timedelta(shown, threshold=1, add_direction=True, locale=locale(language))


@lru_cache(1024)
def list_in(language: str, items: Sequence[str]) -> str:
    """Return a list in a language: "wren, robin and tit"."""
    return lists.format_list(items, locale=locale(language))
