"""Plain values that the templates of players draw."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.ratings.leaderboard import Place
from engine.registry import GAMES

FILTERS: Sequence[tuple[str, str, Sequence[tuple[str, str]]]] = (
    ("game", "Game", (("", "All games"), *((key, rules.title) for key, rules in GAMES.items()))),
    ("rated", "Rated", (("", "Rated or casual"), ("yes", "Rated"), ("no", "Casual"))),
    ("status", "State", (("", "Under way or over"), ("started", "Under way"), ("finished", "Over"))),
)
"""The selects that filter the list of games: name, label, pairs of value and text."""


@dataclass(frozen=True, slots=True)
class RatingView:
    """A player's rating at one game."""

    title: str  # "JadeJack"
    key: str  # the game's registry key
    text: str  # "1512", "1500?"
    deviation: int
    games: int  # rated ones
    place: Place | None  # None for a provisional rating
    chart: Markup | None
    history: Sequence[tuple[str, str, str]]  # date, rating, change: "2026-01-31", "1512", "+12"
