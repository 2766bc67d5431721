"""Challenges as values, what is published about them, and what the lobby shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.core.events import Event, Topic, account_topic
from app.core.i18n.text import NO_TEXT, Text, _
from app.core.web.shown import GameId, Hidden, Username
from app.people.eligibility import is_in_range
from app.people.identity.models import Account
from app.people.identity.service import Guestlike
from app.play.games.queries import GameSummary
from engine.clock import Realtime, TimeControl
from engine.glicko2 import Rating

RANDOM = "random"
CHOICE = "choice"
"""The player who accepts chooses the side: one names the komi, the other one takes a side."""
RATINGS = range(100, 4001)
"""Those to which a challenge or a tournament may be limited."""
QUICK_CONTROLS = (Realtime(300, 3), Realtime(600, 10), Realtime(1800, 20))
"""The time controls that are offered by one click."""
QUICK_DAYS = (1, 3, 7, 14)
"""The days per move that forms offer beside these."""

DECLINE_REASONS = {
    "later": _("Not just now, but gladly another time."),
    "speed": _("Gladly, but with another time control."),
    "board": _("Gladly, but on another board."),
    "rated": _("Gladly, but as a rated game."),
    "casual": _("Gladly, but as a casual game."),
    "no": _("No, thank you."),
}

Kind = Literal["open", "link", "direct"]
"""Who may accept: anybody in the lobby, anybody who has the link, or one player."""

LOBBY = Topic("lobby")
"""Open challenges appear and disappear."""


@dataclass(frozen=True, slots=True)
class ChallengeTerms:
    """The game that a challenge is for.

    `side` is what its maker plays, RANDOM for either side, CHOICE if the other player chooses. With
    `casual_with_guests` it is a casual game instead of a rated one if the other player is a guest.
    """

    game: str
    options: Mapping[str, int]
    side: str = RANDOM
    control: TimeControl | None = None
    rated: bool = False
    rating_min: int | None = None
    rating_max: int | None = None
    casual_with_guests: bool = False

    def against(self, opponent: Guestlike | None) -> "ChallengeTerms":
        """Return the terms of the game against an opponent; None is a visitor, who becomes a guest."""
        is_guest = opponent is None or opponent.is_guest
        return replace(self, rated=self.rated and not (self.casual_with_guests and is_guest))

    def admits(self, rating: Rating) -> bool:
        """Return whether a rating lies in the challenge's range."""
        return is_in_range(rating, self.rating_min, self.rating_max)


@dataclass(frozen=True, slots=True)
class ChallengeInfo:
    """A challenge with its maker, the maker's rating at its game, and the opponent of a direct one."""

    id: str
    terms: ChallengeTerms
    kind: Kind
    maker: Account
    maker_rating: Rating
    opponent: Account | None
    status: str
    decline_reason: str | None
    rematch_of: str | None
    game_id: str | None
    created_at: datetime

    @property
    def account_ids(self) -> tuple[int, ...]:
        """Return the accounts that take part in it."""
        return tuple(account.id for account in (self.maker, self.opponent) if account is not None)


def rating_range_text(least: int | None, most: int | None) -> Text:
    """Return a range of ratings in words, such as "1400 to 1600"; empty if there is none."""
    match least, most:
        case None, None:
            return NO_TEXT
        case low, None:
            return _("%(low)s or more", low=low)
        case None, high:
            return _("%(high)s or less", high=high)
        case low, high:
            return _("%(low)s to %(high)s", low=low, high=high)


@dataclass(frozen=True, slots=True)
class FollowedPlayer:
    """A player whom the account follows; `game_id` is the game that they are playing, if any."""

    account_id: Hidden[int]
    username: Username
    is_online: Annotated[bool, Field(alias="online")]
    game_id: GameId | None


@dataclass(frozen=True, slots=True)
class Listing:
    """The open challenges, the newest first, and which of their makers are online."""

    challenges: tuple[ChallengeInfo, ...]
    online: frozenset[int]


@dataclass(frozen=True, slots=True)
class LobbyOverview:
    """What the lobby shows only to one viewer: their ratings by game, challenges and games under way.

    `blocked` are the accounts with which the viewer cannot play, and whose offers are not shown.
    """

    ratings: Mapping[str, Rating]
    challenges: Sequence[ChallengeInfo]
    games: Sequence[GameSummary]
    blocked: frozenset[int] = frozenset()
    friends: Sequence[FollowedPlayer] = ()


def challenge_topic(challenge_id: str) -> Topic:
    """Return the topic of one challenge."""
    return Topic(f"challenge:{challenge_id}")


class ChallengeChanged(Event, frozen=True):
    """A challenge was made, accepted (then `game_id` is its game), declined, cancelled, or expired."""

    challenge_id: str
    status: str
    accounts: tuple[int, ...]
    game_id: str | None = None

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the lobby, the challenge, and the accounts concerned."""
        return (LOBBY, challenge_topic(self.challenge_id), *map(account_topic, self.accounts))
