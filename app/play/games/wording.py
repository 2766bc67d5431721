"""Ratings, clocks and points as players read them."""

from functools import lru_cache

from app.core.i18n.text import Text, _, ngettext
from engine.clock import (
    Byoyomi,
    CommonDeadline,
    Correspondence,
    DaysBank,
    PerMove,
    Realtime,
    TimeControl,
)
from engine.glicko2 import Rating


def rating_text(rating: Rating) -> str:
    """Return a rating as players read it: 1512, or 1512? while it is provisional."""
    return f"{rating.rating:.0f}{'?' if rating.is_provisional else ''}"


def change_text(change: float) -> str:
    """Return a rating change as players read it: +12, or -8 with a true minus sign."""
    return f"{change:+.0f}".replace("-", "\N{MINUS SIGN}")


def control_text(control: TimeControl | None) -> Text:
    """Return a time control in words: 5+5, 3 days per move, no clock."""
    text = _control_text(control)
    if isinstance(control, Correspondence | DaysBank) and control.weekends_off:
        return _("%(clock)s, weekends off", clock=text)
    return text


def _control_text(control: TimeControl | None) -> Text:
    match control:
        case Byoyomi() | Realtime():
            return Text(str(control))
        case PerMove(seconds):
            return ngettext("%(count)s second per move", "%(count)s seconds per move", seconds)
        case Correspondence(days):
            return ngettext("%(count)s day per move", "%(count)s days per move", days)
        case DaysBank(days, increment, most):
            return _("%(days)s+%(bonus)s days, up to %(most)s", days=days, bonus=increment, most=most)
    return _("a race") if isinstance(control, CommonDeadline) else _("no clock")


def clock_code(control: TimeControl | None) -> str:
    """Return a time control for the header of a record (docs/game-record.md): 300+5, 3d, or - for none."""
    match control:
        case Realtime(limit, increment):
            return f"{limit}+{increment}"
        case Byoyomi(limit, periods, period):
            return f"{limit}+{periods}x{period}"
        case PerMove(seconds):
            return f"{seconds}/move"
        case Correspondence(days, weekends_off):
            return f"{days}d{' weekdays' * weekends_off}"
        case DaysBank(days, increment, most, weekends_off):
            return f"{days}d+{increment}d<={most}d{' weekdays' * weekends_off}"
    return "-"


def clock_text(left: int) -> str:
    """Return milliseconds as a clock shows them: 2 d 3 h, 1:02:03, 4:59."""
    seconds = left // 1000
    days, hours, minutes = seconds // 86_400, seconds // 3_600 % 24, seconds // 60 % 60
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours}:{minutes:02}:{seconds % 60:02}"
    return f"{minutes}:{seconds % 60:02}"


def byoyomi_text(control: Byoyomi, left: int) -> str:
    """Return the main time, or the time of this period, with the periods left: 4:59 ×3."""
    shown, periods = control.split(left)
    return f"{clock_text(shown)} ×{periods}"


@lru_cache(256)
def points_text(points: float) -> Text:
    """Return points as players read them: 1 point, 24 points, 3.5 points."""
    return ngettext("%(count)s point", "%(count)s points", points)


@lru_cache(256)
def terms_text(control: TimeControl | None, *, rated: bool) -> Text:
    """Return the terms of a game: Rated, 5+5."""
    clock = control_text(control)
    return _("Rated, %(clock)s", clock=clock) if rated else _("Casual, %(clock)s", clock=clock)


def undos_text(undos: int) -> Text:
    """Return how many moves were taken back: 2 moves taken back."""
    return ngettext("%(count)s move taken back", "%(count)s moves taken back", undos)
