"""What keeps ratings honest: how many games of two players count, and when a rating is settled."""

from dataclasses import dataclass

from engine.glicko2 import PROVISIONAL_ABOVE, Rating

RATED_A_DAY = 10
"""The most games between the same two players that are rated within 24 hours."""

OPPONENTS_TO_SETTLE = 5
"""The number of different opponents from which on a rating can be settled."""


@dataclass(frozen=True, slots=True)
class PlayersRating(Rating):
    """A rating, and the number of different opponents against whom it was reached."""

    opponents: int = 0

    @property
    def is_provisional(self) -> bool:
        """Return whether the rating is too uncertain, or rests on too few opponents, to be ranked."""
        return self.deviation > PROVISIONAL_ABOVE or self.opponents < OPPONENTS_TO_SETTLE
