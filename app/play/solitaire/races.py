"""Races as values: several players, each alone on a board of the same size, until a common deadline."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.core.events import Event, Topic
from app.core.i18n.text import Text, _
from app.core.moments import utc_now

MINUTES: Mapping[int, Text] = {
    5: _("5 minutes"),
    10: _("10 minutes"),
    20: _("20 minutes"),
    60: _("an hour"),
    24 * 60: _("a day"),
    7 * 24 * 60: _("a week"),
}
"""How long a race may last, in words."""


@dataclass(frozen=True, slots=True)
class Racer:
    """One row of a race. Equal points and tie-breaks share the rank; `is_done`: the game is over."""

    rank: int
    account_id: int
    username: str | None
    game_id: str
    points: int
    tie_break: int
    ply: int
    is_done: bool


@dataclass(frozen=True, slots=True)
class RaceTimes:
    """When a race at a game began and when it ends."""

    id: str
    game: str
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class RaceInfo:
    """A race with its players in the order of their ranks."""

    id: str
    game: str
    options: Mapping[str, int]
    maker: str
    ends_at: datetime
    racers: tuple[Racer, ...]

    @property
    def is_over(self) -> bool:
        """Return whether the deadline has passed."""
        return utc_now() >= self.ends_at

    def game_of(self, account_id: int) -> str | None:
        """Return the id of a player's game, or None for an account that does not take part."""
        return next((racer.game_id for racer in self.racers if racer.account_id == account_id), None)


def race_topic(race_id: str) -> Topic:
    """Return the topic of one race."""
    return Topic(f"race:{race_id}")


class RaceChanged(Event, frozen=True):
    """A player joined a race."""

    race_id: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the race."""
        return (race_topic(self.race_id),)
