"""Who met whom, and how it ended.

Players are numbers. A seat is 0 for the player who moves first and 1 for the other.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class PairingOutcome(StrEnum):
    """How a pairing ended: a win for a seat, a draw, or nothing for either player."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game of a round. Without a `second` player it is a bye: FIRST a full point, DRAW half a point.

    `outcome` is None while the game is running. `is_played` is False for a game that a player forfeited by
    not turning up.
    """

    round: int
    first: int
    second: int | None
    outcome: PairingOutcome | None = None
    is_played: bool = True

    @property
    def players(self) -> tuple[int, ...]:
        """Return the players, the one who moves first at the front."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def is_bye(self) -> bool:
        """Return whether a player has no opponent."""
        return self.second is None

    @property
    def is_game(self) -> bool:
        """Return whether the players met: it is neither a bye nor forfeited."""
        return self.is_played and not self.is_bye

    def points_of(self, player: int) -> float:
        """Return a player's points: 1 for a win or a full bye, ½ for a draw or half a bye, otherwise 0."""
        if self.outcome is PairingOutcome.DRAW:
            return 0.5
        won = PairingOutcome.FIRST if player == self.first else PairingOutcome.SECOND
        return 1.0 if self.outcome is won else 0.0

    def is_won_by(self, player: int) -> bool:
        """Return whether a player has won a game; byes and forfeited games are none."""
        return self.is_game and self.points_of(player) == 1

    def opponent_of(self, player: int) -> int | None:
        """Return the other player, or None for a bye."""
        return self.second if player == self.first else self.first


def seats_of(player: int, pairings: Iterable[Pairing]) -> tuple[int, ...]:
    """Return the seats that a player had in the games that were or are played, in their order."""
    return tuple(
        0 if pairing.first == player else 1
        for pairing in pairings
        if player in pairing.players and pairing.is_game
    )
