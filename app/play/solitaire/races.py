"""Races as values: several players, each alone on a board of the same size, until a common deadline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.core.events import AccountsEvent, Event, Topic
from app.core.i18n.text import Text, _
from app.core.web.registered import GameKey, Options
from app.core.web.shown import GameId, Hidden, Id, Username

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
class RacerShown:
    """A player of a race. Of equal points the lower tie-break ranks higher.

    A closed account whose results stay has no `username`.
    """

    rank: int
    account_id: Hidden[int]
    username: Username | None
    game_id: GameId
    points: int
    tie_break: int
    ply: int
    is_done: bool

    @property
    def has_taken_part(self) -> bool:
        """Return whether the player has points."""
        return self.points > 0


@dataclass(frozen=True, slots=True)
class WaitingRacer:
    """A player of a race waiting to start; a closed account has no `username`."""

    account_id: Hidden[int]
    username: Username | None


@dataclass(frozen=True, slots=True)
class RaceTimes:
    """When a race at a game began and when it ends."""

    id: str
    game: str
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class RaceShown:
    """A race with its players in the order of their ranks.

    One that waits until its maker starts it lasts some `minutes` from then on; its players are `waiting`, and
    `ends_at` is when it is given up. If nobody has the maker's account any more, one of them starts it.
    """

    id: Id
    game: GameKey
    options: Options
    maker: Username
    has_maker: Hidden[bool]
    minutes: int | None
    ends_at: datetime
    is_waiting: bool
    is_over: bool
    waiting: Sequence[WaitingRacer]
    racers: Sequence[RacerShown]

    def is_awaited_by(self, account_id: int) -> bool:
        """Return whether an account waits for the start."""
        return any(each.account_id == account_id for each in self.waiting)

    def may_be_started_by(self, account_id: int, username: str) -> bool:
        """Return whether a player may start the race while it waits."""
        return username == self.maker or (not self.has_maker and self.is_awaited_by(account_id))

    def game_of(self, account_id: int) -> str | None:
        """Return the id of a player's game, or None for an account that does not take part."""
        return next((racer.game_id for racer in self.racers if racer.account_id == account_id), None)


def race_topic(race_id: str) -> Topic:
    """Return the topic of one race."""
    return Topic(f"race:{race_id}")


class RaceChanged(Event, frozen=True):
    """A player joined or left a race, or its maker started it or gave it up."""

    race_id: str

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the race."""
        return (race_topic(self.race_id),)


class RaceStarted(AccountsEvent, frozen=True):
    """The maker of a race started it, and with it the games of some accounts."""

    race_id: str
