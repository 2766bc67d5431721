"""The filters of templates: moments, durations and numbers in the reader's language, and what they draw."""

import json
from collections.abc import Mapping
from datetime import date as datetime_date
from datetime import datetime, timedelta
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

from jinja2.utils import urlize
from markupsafe import Markup

from app.core.i18n.catalogue import catalogue
from app.core.i18n.formats import away_in, day_in, decimal, moment_in, number, signed
from app.core.i18n.languages import current, locale, reading
from app.core.i18n.names import country, language
from app.core.i18n.text import Text, _, ngettext
from app.core.later import Later
from app.core.moments import from_datetime, now, to_datetime, utc_now
from app.core.web.avatars import avatar
from app.core.web.static import static_url
from engine.game import OptionRange, Side

if TYPE_CHECKING:
    import segno
else:
    segno = Later("segno")

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
# Scripts change these texts again and again, which a part of a page that is read aloud must not tell.
_RELATIVE = Markup(
    '<time datetime="{}" title="{}" data-relative="{}" data-away="{}" aria-live="off">{}</time>'
)
_LEFT = Markup('<time datetime="{}" title="{}" data-left data-away="{}" aria-live="off">{}</time>')
_DUE = Markup('data-due="{}" data-now="{}"')
_NEAR = timedelta(days=7)  # what is farther away has its date
_SMALLEST_BOARD = 3
_UNITS = {"day": 86_400, "hour": 3_600, "minute": 60, "second": 1}  # seconds


def when(at: datetime) -> Markup:
    """Return a moment as HTML: "in 25 minutes", "2 days ago", with the date on hover; far away, the date.

    Scripts keep it true as long as the page is open.
    """
    away = at.replace(second=0, microsecond=0) - utc_now()
    if abs(away) > _NEAR:
        return minute(at)
    is_now = timedelta(minutes=-1) < at - utc_now() <= timedelta()
    just_now = _("just now")
    shown = just_now if is_now else away_in(current(), away)
    exact = at.isoformat(timespec="minutes")
    return _RELATIVE.format(exact, utc(at), just_now, ceil(away.total_seconds()), shown)


def time_left(deadline: int) -> Markup:
    """Return the time until a moment as HTML, with the date on hover: "2 days left", "7 seconds left".

    Scripts keep it true as long as the page is open.
    """
    moment = to_datetime(deadline)
    left = (moment - utc_now()).total_seconds()
    exact = moment.isoformat(timespec="milliseconds")
    return _LEFT.format(exact, utc(moment), ceil(left), _left(max(0, round(left))))


def due(at: datetime) -> Markup:
    """Return the attributes of an element whose page is true until a moment: scripts load it again then."""
    return _DUE.format(from_datetime(at), now())


def _left(seconds: int) -> Text:
    unit = next((unit for unit, length in _UNITS.items() if seconds >= length), "second")
    count = seconds // _UNITS[unit]
    return _text_left(unit, count, count)


def _text_left(unit: str, count: int, shown: object) -> Text:
    """Return the text of a number of units; `shown` is in the place of the number."""
    match unit:
        case "day":
            return ngettext("%(count)s day left", "%(count)s days left", count, count=shown)
        case "hour":
            return ngettext("%(count)s hour left", "%(count)s hours left", count, count=shown)
        case "minute":
            return ngettext("%(count)s minute left", "%(count)s minutes left", count, count=shown)
    return ngettext("%(count)s second left", "%(count)s seconds left", count, count=shown)


def times_left(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return what scripts say of the time that is left: by unit and plural form, with `{count}`."""
    form_of = locale(language).plural_form
    with reading(language):
        return {
            unit: {form_of(count): _text_left(unit, count, "{count}").translated() for count in range(100)}
            for unit in _UNITS
        }


def clock_text(left: int) -> Text:
    """Return milliseconds as a clock shows them: 3 days, 2 d 3 h, 1:02:03, 4:59."""
    return _clock_text(left // 1000)


@lru_cache(4096)
def _clock_text(seconds: int) -> Text:
    days, hours, minutes = seconds // 86_400, seconds // 3_600 % 24, seconds // 60 % 60
    if days and not hours:
        return ngettext("%(count)s day", "%(count)s days", days)
    if days:
        return _("%(days)s d %(hours)s h", days=days, hours=hours)
    if hours:
        return Text(f"{hours}:{minutes:02}:{seconds % 60:02}")
    return Text(f"{minutes}:{seconds % 60:02}")


def clock_until(deadline: int) -> Text:
    """Return the time until a moment as a clock shows it, for one that scripts keep going."""
    return clock_text(max(0, deadline - now()))


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


def qr_code(text: str) -> Markup:
    """Return a QR code as SVG, dark on white in every theme, so that all cameras read it."""
    drawn = segno.make(text, micro=False).svg_inline(scale=4, light="#fff", omitsize=True)
    return Markup(drawn)  # noqa: S704 - drawn by segno


def side_name(side: str) -> Text:
    """Return the name of a side: "Black", "First side"."""
    return _SIDES[Side(side)]


def figure_name(name: str) -> Text:
    """Return the label of a figure of a score beside its points: "Resets"."""
    return _FIGURES[name]


FILTERS = (
    when,
    time_left,
    clock_until,
    due,
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
    qr_code,
    side_name,
    figure_name,
    plural_form,
    static_url,
    country,
    language,
)
