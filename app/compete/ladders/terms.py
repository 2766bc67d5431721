"""The terms of all ladders: how challenges are played, and the times for what players owe each other."""

from collections.abc import Mapping
from datetime import timedelta

from app.core.errors import NotFoundError
from app.people.eligibility import Conditions
from app.play.games.creation import proposed_options
from engine.clock import Correspondence
from engine.registry import FOR_TWO

CONTROL = Correspondence(3)
"""The time control of the games, which are rated."""

CONDITIONS = Conditions(rated=True)
"""Who may be on a ladder."""

ANSWER_WITHIN = timedelta(days=3)
"""The time to accept a challenge; without an answer the place is lost.

Who is on vacation then is not asked: the game begins, and the vacation stops their clock.
"""

INACTIVE_AFTER = timedelta(days=30)
"""The time without a game after which a player drops, and each time again."""

MOST_DROPS = 3
"""The drops in a row with the last of which a player leaves the ladder."""


def options_of(game: str) -> Mapping[str, int]:
    """Return the options of the games on a ladder. Raise NotFoundError if the game has no ladder."""
    if game not in FOR_TWO:
        raise NotFoundError("ladder")
    return proposed_options(FOR_TWO[game])
