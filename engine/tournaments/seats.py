"""Who moves first: nobody has the same seat three times in a row, or one of them three times more often.

These are the absolute colour preferences of the FIDE (Dutch) Swiss system, FIDE Handbook C.04.3, A.6; the
milder ones are that a player gets the seat that they had less often, and then the other one than last time.
"""

from collections.abc import Sequence
from functools import lru_cache

MOST_APART = 2
"""How many times more often a player may have had one seat than the other."""


def breaks_rules(seats: Sequence[int], seat: int) -> bool:
    """Return whether a player with these seats so far may not have a seat in the next game."""
    is_third_in_a_row = list(seats[-2:]) == [seat, seat]
    return is_third_in_a_row or abs(_surplus([*seats, seat])) > MOST_APART


def strain(seats: Sequence[int], seat: int) -> int:
    """Return how little a player wants a seat in the next game: 0 for the one that they should have."""
    surplus = _surplus(seats)
    towards = surplus if seat == 0 else -surplus
    is_repeated = bool(seats) and seats[-1] == seat
    return max(0, 2 * towards) + is_repeated


@lru_cache(maxsize=1 << 16)
def best_seats(one: Sequence[int], other: Sequence[int]) -> tuple[int, tuple[int, int]]:
    """Return the best seat of a player against another, and the cost of it.

    The cost is the number of rules that this breaks and the strain. If both seats are equally good, the first
    player has seat 0.
    """
    costs = []
    for seat in (0, 1):
        broken = breaks_rules(one, seat) + breaks_rules(other, 1 - seat)
        costs.append((broken, strain(one, seat) + strain(other, 1 - seat)))
    seat = 0 if costs[0] <= costs[1] else 1
    return seat, costs[seat]


def _surplus(seats: Sequence[int]) -> int:
    """Return how many times more often seat 0 was had than seat 1."""
    return len(seats) - 2 * sum(seats)
