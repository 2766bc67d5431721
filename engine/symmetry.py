"""The symmetries of square boards: positions that differ only by turning or mirroring the board are one."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from engine import squares
from engine.game import Game


@dataclass(frozen=True, slots=True)
class Turn:
    """One of the eight ways to lay a board: `sources` has the square from which each square's content comes.

    `targets` has the square to which each square goes. Squares are indices into `squares.names`.
    """

    sources: tuple[int, ...]
    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """A position laid in the way that all of its images share.

    `key` is a number of 64 bits, signed, which is the same for all images, and different for positions with
    other contents (`Game.contents`) and for other games but for chance. `turns` are the ways that lead to
    this lay: several if the position is symmetrical.
    """

    key: int
    size: int
    turns: Sequence[Turn]

    def folded(self, move: str) -> str:
        """Return a move as it is in the common lay; moves that mirror each other are the same there."""
        names = squares.names(self.size)
        square = squares.indices(self.size).get(move)
        return move if square is None else names[min(turn.targets[square] for turn in self.turns)]

    def unfolded(self, move: str) -> str:
        """Return a move of the common lay as it is in the position."""
        square = squares.indices(self.size).get(move)
        return move if square is None else squares.names(self.size)[self.turns[0].sources[square]]


def fold(rules: Game[Any], position: Any) -> Fold:
    """Return the common lay of a position and its images."""
    contents, rest = rules.contents(position)
    size = math.isqrt(len(contents))
    images = [(_laid(contents, turn), turn) for turn in turns(size)]
    common = min(image for image, _ in images)
    text = "\n".join((rules.key, str(len(rules.sides)), rest, *common))
    key = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), signed=True)
    return Fold(key, size, tuple(turn for image, turn in images if image == common))


@cache
def turns(size: int) -> tuple[Turn, ...]:
    """Return the eight ways to lay a board of a size."""
    rows = [tuple(range(start, start + size)) for start in range(0, size * size, size)]
    made = []
    for _each in range(4):
        rows = [tuple(row) for row in zip(*rows[::-1], strict=True)]
        for laid in (rows, rows[::-1]):
            sources = tuple(square for row in laid for square in row)
            targets = sorted(range(size * size), key=sources.__getitem__)
            made.append(Turn(sources, tuple(targets)))
    return tuple(made)


def _laid(contents: Sequence[str], turn: Turn) -> tuple[str, ...]:
    return itemgetter(*turn.sources)(contents) if len(contents) > 1 else tuple(contents)
