"""Plain values that the templates of players draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from app.core.i18n.text import Text, _
from app.play.ratings.leaderboard import RatingPlace
from engine.registry import GAMES


@dataclass(frozen=True, slots=True)
class RelationButton:
    """A button that sets or undoes a relation of the viewer to a player: the form's address and the label."""

    action: str
    label: Text


FILTERS: Sequence[tuple[str, str, Sequence[tuple[str, str]]]] = (
    ("game", _("Game"), (("", _("All games")), *((key, rules.title) for key, rules in GAMES.items()))),
    ("rated", _("Rated"), (("", _("Rated or casual")), ("yes", _("Rated")), ("no", _("Casual")))),
    (
        "status",
        _("State"),
        (("", _("Under way or over")), ("started", _("Under way")), ("finished", _("Over"))),
    ),
)
"""The selects that filter the list of games: name, label, pairs of value and text."""


@dataclass(frozen=True, slots=True)
class AwardView:
    """An achievement of a player, and the page that proves it."""

    title: Text
    text: Text
    url: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RatingView:
    """A player's rating at one game."""

    title: str  # "JadeJack"
    key: str  # the game's registry key
    text: str  # "1512", "1500?"
    uncertainty: int
    games: int  # rated ones
    place: RatingPlace | None  # None for a provisional rating, or for who is not ranked
    missing: Text | None  # what would settle a provisional rating
    chart: Markup | None
    history: Sequence[tuple[str, str, str]]  # date, rating, change: "2026-01-31", "1512", "+12"
