"""The filters of templates: moments, durations and numbers in the reader's language."""

import json
from collections.abc import Mapping
from datetime import date as datetime_date
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from jinja2.utils import urlize
from markupsafe import Markup

from app.core.i18n.catalogue import catalogue
from app.core.i18n.formats import away_in, day_in, decimal, moment_in, number, signed
from app.core.i18n.languages import current
from app.core.i18n.names import country, language
from app.core.i18n.text import Text, _, ngettext
from app.core.moments import to_datetime, utc_now
from app.core.web.avatars import avatar
from engine.game import OptionRange, Side

_SIDES = {
    Side.BLACK: _("Black"),
    Side.WHITE: _("White"),
    Side.FIRST: _("First side"),
    Side.SECOND: _("Second side"),
    Side.SOLO: _("Points"),
}
_FIGURES = {"resets": _("Resets")}
_DAY_OF = Markup('<time datetime="{}" data-day>{}</time>')
_TIME = Markup('<time datetime="{}">{}</time>')
# Scripts show moments without the zone, so that with them none has to leave its line.
_MOMENT = Markup('<time datetime="{}">{}<noscript> UTC</noscript></time>')
_RELATIVE = Markup('<time datetime="{}" title="{}" data-relative data-away="{}">{}</time>')
_DATED = Markup('<time datetime="{}" title="{}" data-dated>{}</time>')
_NEAR = timedelta(days=7)  # what is farther away has its date
_SMALLEST_BOARD = 3
_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60  # seconds


def when(at: datetime) -> Markup:
    """Return a moment as HTML: "in 25 minutes", "2 days ago", with the date on hover; far away, the date.

    Scripts keep it true as long as the page is open.
    """
    away = at.replace(second=0, microsecond=0) - utc_now()
    if abs(away) > _NEAR:
        return minute(at)
    is_now = timedelta(minutes=-1) < at - utc_now() <= timedelta()
    shown = _("just now") if is_now else away_in(current(), away)
    exact = at.isoformat(timespec="minutes")
    return _RELATIVE.format(exact, utc(at), round(away.total_seconds()), shown)


def time_left(deadline: int) -> Markup:
    """Return the time until a moment as HTML, with the date on hover: "2 days left", "7 seconds left"."""
    moment = to_datetime(deadline)
    return _DATED.format(moment.isoformat(timespec="minutes"), utc(moment), _left(moment))


def _left(deadline: datetime) -> Text:
    seconds = max(0, round((deadline - utc_now()).total_seconds()))
    if seconds >= _DAY:
        return ngettext("%(count)s day left", "%(count)s days left", seconds // _DAY)
    if seconds >= _HOUR:
        return ngettext("%(count)s hour left", "%(count)s hours left", seconds // _HOUR)
    if seconds >= _MINUTE:
        return ngettext("%(count)s minute left", "%(count)s minutes left", seconds // _MINUTE)
    return ngettext("%(count)s second left", "%(count)s seconds left", seconds)


def date(moment: datetime_date) -> Markup:
    """Return the day of a moment, or a day itself, as HTML: "21 Nov 2026".

    Scripts show the day of a moment in the reader's time.
    """
    return _date_in(current(), moment)


@lru_cache(4096)  # filling in HTML takes longer than the rest of a cell in a list
def _date_in(language: str, moment: datetime_date) -> Markup:
    shown = day_in(language, moment)
    if isinstance(moment, datetime):
        return _DAY_OF.format(moment.isoformat(timespec="minutes"), shown)
    return _TIME.format(moment.isoformat(), shown)


def minute(at: datetime) -> Markup:
    """Return a moment as HTML, "21 Nov 2026, 18:05 UTC", which scripts turn into the reader's time."""
    return _moment_in(current(), at)


def second(at: datetime) -> Markup:
    """Return a moment to the second as HTML, as `minute` does: "21 Nov 2026, 18:05:30 UTC"."""
    return _moment_in(current(), at, seconds=True)


@lru_cache(4096)
def _moment_in(language: str, at: datetime, *, seconds: bool = False) -> Markup:
    shown = moment_in(language, at, seconds=seconds).removesuffix(" UTC")
    return _MOMENT.format(at.isoformat(timespec="seconds" if seconds else "minutes"), shown)


def utc(at: datetime) -> str:
    """Return a moment to the minute as text: "21 Nov 2026, 18:05 UTC"."""
    return moment_in(current(), at)


def whole(number: float) -> str:
    """Return a number without its fraction: "1512"."""
    return f"{number:.0f}"


def sizes(allowed: OptionRange) -> list[tuple[int, str]]:
    """Return the sizes of a board as options of a select: (8, "8×8"); tiny boards are no game."""
    smallest = max(allowed.minimum, _SMALLEST_BOARD)
    return [(size, f"{size}×{size}") for size in range(smallest, allowed.maximum + 1)]


def plural_form(count: float, forms: int) -> int:
    """Return which of so many plural forms a count takes in the reader's language."""
    return catalogue(current()).index(count, forms)


def json_of_texts(texts: Mapping[str, str], **options: Any) -> str:
    """Return texts by name as JSON, in the reader's language, for scripts."""
    shown = {name: text.translated() if isinstance(text, Text) else text for name, text in texts.items()}
    return json.dumps(shown, **options)


def shown_name(username: str | None) -> Text | str:
    """Return how a ranking names an account: one without a username is closed, and its results stay."""
    return _("closed account") if username is None else username


def linked(text: str) -> Markup:
    """Return a text of a player as HTML, with links that search engines do not count."""
    return Markup(urlize(text, rel="nofollow ugc noopener"))  # noqa: S704 - it escapes the text


def side_name(side: str) -> Text:
    """Return the name of a side: "Black", "First side"."""
    return _SIDES[Side(side)]


def figure_name(name: str) -> Text:
    """Return the label of a figure of a score beside its points: "Resets"."""
    return _FIGURES[name]


FILTERS = (
    when,
    time_left,
    date,
    minute,
    second,
    utc,
    number,
    decimal,
    whole,
    signed,
    sizes,
    shown_name,
    avatar,
    linked,
    side_name,
    figure_name,
    plural_form,
    country,
    language,
)
