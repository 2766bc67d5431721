"""Drawing the board of a day for a game for one: its size, and the square of the first number.

docs/solo-days.md describes how both follow from the seed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.game import SolitaireGame
from engine.lottery import numbers

SIZES = range(6, 11)


class DrawnBoard(NamedTuple):
    """A board of a day: the options of its game, and the first move, which everybody begins with."""

    options: Mapping[str, int]
    first: str


def draw(rules: SolitaireGame[Any], seed: bytes) -> DrawnBoard:
    """Return the board of a seed: all sizes are equally likely, and all squares of the size."""
    drawn = numbers(seed)
    options = {"size": SIZES[next(drawn) % len(SIZES)]}
    squares = rules.legal_moves(rules.initial(options))
    return DrawnBoard(options, squares[next(drawn) % len(squares)])
