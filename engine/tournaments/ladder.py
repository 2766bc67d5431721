"""Ladders: a standing order of players, who challenge those above them.

An order is a tuple of players, the best first; place 1 is the first one.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

REACH = 5
"""The places above a player's own that may be challenged."""

DROP = 5
"""The places that an inactive player drops at a time."""

Order = tuple[int, ...]


class Obstacle(StrEnum):
    """Why a player of a ladder cannot challenge another one."""

    BELOW = "below"
    TOO_FAR = "too_far"
    CHALLENGING = "challenging"
    PAIRED = "paired"


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge that is not decided yet."""

    challenger: int
    defender: int


def obstacle(
    order: Order, challenger: int, defender: int, challenges: Collection[OpenChallenge]
) -> Obstacle | None:
    """Return why a player of the order cannot challenge another one, or None if that is allowed.

    Each player has at most one open challenge to another player, and nobody has challenges to and from the
    same player. What others play does not matter: a friend of the best player could otherwise keep everybody
    else from challenging them, by one long game after the other.
    """
    distance = order.index(challenger) - order.index(defender)
    if any(each.challenger == challenger for each in challenges):
        return Obstacle.CHALLENGING
    if distance <= 0:
        return Obstacle.BELOW
    if distance > REACH:
        return Obstacle.TOO_FAR
    if OpenChallenge(defender, challenger) in challenges:
        return Obstacle.PAIRED
    return None


def after_win(order: Order, winner: int, loser: int) -> Order:
    """Return the order after a win: a winner from below takes the loser's place, and those between move down.

    Nothing changes if the winner is above the loser, or if one of them has left.
    """
    if winner not in order or loser not in order:
        return order
    place = min(order.index(winner), order.index(loser))
    return _moved(order, winner, place)


def after_inactivity(order: Order, player: int) -> Order:
    """Return the order after a player has dropped; those who are passed move up."""
    return _moved(order, player, order.index(player) + DROP)


def after_voiding(order: Order, player: int, place: int) -> Order:
    """Return the order after the result was voided that has moved a player from a place."""
    return _moved(order, player, place - 1)


def without(order: Order, player: int) -> Order:
    """Return the order after a player has left; those below move up."""
    return tuple(other for other in order if other != player)


def _moved(order: Order, player: int, index: int) -> Order:
    others = without(order, player)
    return (*others[:index], player, *others[index:])
