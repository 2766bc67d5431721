"""What keeps ratings honest: how many games of two are rated, and when a rating is proven and settled."""

from dataclasses import dataclass

from engine.glicko2 import PROVISIONAL_ABOVE, Rating

RATED_A_DAY = 10
"""The most games between the same two players that are rated within 24 hours."""

OPPONENTS_TO_SETTLE = 5
"""The number of different proven opponents from which on a rating can be proven and settled."""

PROVEN_UP_TO = 120.0
"""The largest deviation of a proven rating; one is proven a little before it is settled."""

NEWCOMER_DEVIATION = 250.0
NEWCOMER_RANGE = (1300.0, 1700.0)
"""What games that do not count can make of a rating: this deviation at least, within this range."""


@dataclass(frozen=True, slots=True)
class PlayersRating(Rating):
    """A rating, and the number of different proven opponents against whom it was reached."""

    opponents: int = 0

    @property
    def is_provisional(self) -> bool:
        """Return whether the rating is too uncertain, or rests on too few opponents, to be ranked."""
        return self.deviation > PROVISIONAL_ABOVE or self.opponents < OPPONENTS_TO_SETTLE

    @property
    def is_proven(self) -> bool:
        """Return whether games against the player count for the opponent."""
        return self.deviation <= PROVEN_UP_TO and self.opponents >= OPPONENTS_TO_SETTLE


def after_uncounted(before: Rating, after: Rating) -> Rating:
    """Return a rating after a game that does not count.

    `before` is as of the end of the game, `after` what the game would make of it if it counted. One person
    may have the opponent's account, and those of all the opponent's opponents, so any number of such games
    says little more than the first one.
    """
    if before.deviation < NEWCOMER_DEVIATION:
        return before
    lowest, highest = NEWCOMER_RANGE
    rating = min(max(after.rating, min(lowest, before.rating)), max(highest, before.rating))
    return Rating(rating, max(after.deviation, NEWCOMER_DEVIATION), before.volatility)
