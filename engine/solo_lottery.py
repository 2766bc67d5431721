"""Drawing the board of a day for a game for one: its size, and the square of the first number.

docs/solo-days.md describes how both follow from the seed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine import squares, symmetry
from engine.game import SolitaireGame
from engine.lottery import numbers

SIZES = range(6, 11)

_FIRST = "1"


class DrawnBoard(NamedTuple):
    """A board of a day: the options of its game, and the first move, which everybody begins with."""

    options: Mapping[str, int]
    first: str

    def begins(self, rules: SolitaireGame[Any], position: Any) -> bool:
        """Return whether a game that led to a position began on this board, be it turned or mirrored."""
        size, (written, _rest) = self.options["size"], rules.contents(position)
        if len(written) != size**2 or _FIRST not in written:
            return False
        first = squares.indices(size)[self.first]
        return written.index(_FIRST) in {turn.targets[first] for turn in symmetry.turns(size)}


def draw(rules: SolitaireGame[Any], seed: bytes) -> DrawnBoard:
    """Return the board of a seed: all sizes are equally likely, and all squares of the size."""
    drawn = numbers(seed)
    options = {"size": SIZES[next(drawn) % len(SIZES)]}
    squares = rules.legal_moves(rules.initial(options))
    return DrawnBoard(options, squares[next(drawn) % len(squares)])
