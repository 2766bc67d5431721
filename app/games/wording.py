"""Ratings, clocks and points as players read them."""

from functools import lru_cache

from app.i18n.text import Text, _, ngettext
from engine.clock import CommonDeadline, Correspondence, Realtime, TimeControl
from engine.glicko2 import Rating


def rating_text(rating: Rating) -> str:
    """Return a rating as players read it: 1512, or 1512? while it is provisional."""
    return f"{rating.rating:.0f}{'?' if rating.is_provisional else ''}"


def change_text(change: float) -> str:
    """Return a rating change as players read it: +12, or -8 with a true minus sign."""
    return f"{change:+.0f}".replace("-", "\N{MINUS SIGN}")


def control_text(control: TimeControl | None) -> Text:
    """Return a time control in words: 5+5, 3 days per move, no clock."""
    match control:
        case Realtime():
            return Text(str(control))
        case Correspondence(days):
            return ngettext("%(count)s day per move", "%(count)s days per move", days)
        case CommonDeadline():
            return _("a race")
    return _("no clock")


def clock_code(control: TimeControl | None) -> str:
    """Return a time control for the header of a record: 300+5 (seconds), 3d, or - for none."""
    match control:
        case Realtime(limit, increment):
            return f"{limit}+{increment}"
        case Correspondence(days):
            return f"{days}d"
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
