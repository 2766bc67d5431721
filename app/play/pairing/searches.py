"""Searches as values, and what is published about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from app.core.events import Event, Topic, account_topic
from app.people.identity.models import Account
from app.play.lobby.challenges import LOBBY, ChallengeTerms
from engine.glicko2 import Rating

MOST_WANTED = 150
"""The most games that a player may look for at once."""

MOST_LISTED = 30
"""The most searches that the lobby lists."""

OFFERED_AFTER = timedelta(seconds=20)
"""How long a player waits before the page offers the computer."""


@dataclass(frozen=True, slots=True)
class SearchInfo:
    """What a player looks for, or looked for last: since when, and the game that began since."""

    terms: Sequence[ChallengeTerms]
    began_at: datetime
    is_open: bool
    game_id: str | None


def text_of(terms: ChallengeTerms) -> str:
    """Return a text that tells the game of some terms, its options and clock from others: fast to compare."""
    return f"{terms.game} {terms.options} {terms.control!r}"


@dataclass(frozen=True)
class GameOffer:
    """The games that a player would play with whoever fits, and the player's ratings by game.

    The terms differ in game, options and clock only.
    """

    player: Account
    ratings: Mapping[str, Rating]
    terms: Sequence[ChallengeTerms]
    since: datetime
    challenge_id: str | None = None  # of an open challenge of the lobby; None for a search

    @cached_property
    def games(self) -> Mapping[str, ChallengeTerms]:
        """Return the terms by the text of their game."""
        return {text_of(each): each for each in self.terms}

    def rating(self, game: str) -> Rating:
        """Return the player's rating at a game."""
        return self.ratings.get(game, Rating())


class SearchChanged(Event, frozen=True):
    """A search began or ended, or a page that shows it was left."""

    account_id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the lobby, and the topic of the player."""
        return (LOBBY, account_topic(self.account_id))
