"""The calendar of a player's last year."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from markupsafe import Markup, escape

from app.core.i18n.formats import day_in
from app.core.i18n.languages import current
from app.core.i18n.text import _, ngettext

_SIDE = 12  # of the square of a day, with the gap beside it
_LEVELS = (2, 4, 8)
"""From how many games on the square of a day is darker."""


@dataclass(frozen=True, slots=True)
class ActivityView:
    """The games of the last year: a calendar with a column for each week, their number, and that by month."""

    calendar: Markup
    last: date
    games: int
    months: Sequence[tuple[str, int]]


def activity_view(activity: Mapping[date, int], today: date) -> ActivityView | None:
    """Return the games that ended on each day of the last year; None if there are none."""
    first = today - timedelta(weeks=51, days=today.weekday())  # a Monday
    games = {day: count for day, count in sorted(activity.items()) if first <= day <= today}
    if not games:
        return None
    months = Counter[str]()
    for day, count in games.items():
        months[f"{day:%Y-%m}"] += count
    return ActivityView(_calendar(games, first, today), max(games), months.total(), list(months.items()))


def _calendar(games: Mapping[date, int], first: date, today: date) -> Markup:
    height, width = 7 * _SIDE, 52 * _SIDE
    bottom = (today.weekday() + 1) * _SIDE  # of the last column
    title = escape(_("Games that ended on each day of the last year"))
    days = "".join(_day(day, count, *divmod((day - first).days, 7)) for day, count in games.items())
    return Markup(  # noqa: S704 - our own strings and numbers, escaped
        f'<svg class="activity" viewBox="0 0 {width} {height}" role="img" aria-label="{title}"><defs>'
        f'<pattern id="activity-none" width="{_SIDE}" height="{_SIDE}" patternUnits="userSpaceOnUse">'
        f'<rect width="{_SIDE - 2}" height="{_SIDE - 2}" rx="2"/></pattern></defs>'
        f'<path class="activity-days" d="M0 0H{width}V{bottom}h-{_SIDE}V{height}H0z"/>{days}</svg>'
    )


def _day(day: date, games: int, week: int, weekday: int) -> str:
    level = 1 + sum(games >= least for least in _LEVELS)
    words = ngettext("%(day)s: %(count)s game", "%(day)s: %(count)s games", games, day=day_in(current(), day))
    return (
        f'<rect class="activity-{level}" x="{week * _SIDE}" y="{weekday * _SIDE}" width="{_SIDE - 2}" '
        f'height="{_SIDE - 2}" rx="2"><title>{escape(words)}</title></rect>'
    )
