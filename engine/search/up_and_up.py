"""Filling the whole board of Up And Up: a beam search that avoids isolated empty squares."""

import heapq
import random
from typing import NamedTuple

from engine.number_grid import rook_squares

_WIDTH = 300  # positions kept after each number, at first; doubled until a full board is found
_ISOLATION = (2.0, 1.0, 0.5, 0.2, 0.0)  # of an empty square, by its number of empty neighbours
_NOISE = 0.5  # added to the isolation, so that the beam does not keep only positions of one kind


class _Node(NamedTuple):
    """A position: the set of squares taken, the last square, k, the total isolation, and the node before."""

    taken: int
    last: int
    k: int
    isolation: float
    before: "_Node | None"


def fill(size: int, seed: int = 1) -> list[int]:
    """Return the squares, as indices into `squares.names`, of a game that fills the board, in order.

    The search continues until it succeeds, which takes a second or two up to 12 × 12. Its result depends only
    on the seed.
    """
    search = _Search(size, random.Random(seed))  # noqa: S311 - nothing secret
    width = _WIDTH
    while (node := search.beam(width)) is None:
        width *= 2
    cells = []
    while node is not None:
        cells.append(node.last)
        node = node.before
    return cells[::-1]


class _Search:
    """The search on boards of one size."""

    def __init__(self, size: int, generator: random.Random) -> None:
        self._size = size
        self._generator = generator
        self._squares_at = rook_squares(size)
        self._neighbours = [sum(1 << near for near in squares[1]) for squares in self._squares_at]

    def beam(self, width: int) -> _Node | None:
        """Return a full board, or None if a beam of this width does not reach one."""
        beam = [_Node(1 << square, square, 1, 0.0, None) for square in range(self._size**2)]
        for _ in range(self._size**2 - 1):
            reached: dict[tuple[int, int, int], _Node] = {}
            for node in beam:
                for following in self._following(node):
                    reached.setdefault(following[:3], following)
            if not reached:
                return None
            beam = heapq.nsmallest(width, reached.values(), key=self._cost)
        return beam[0]

    def _following(self, node: _Node) -> list[_Node]:
        """Return the positions after the next number."""
        for k in (node.k, 1):
            free = [square for square in self._squares_at[node.last][k] if not node.taken >> square & 1]
            if free:
                return [self._written(node, square, k) for square in free]
        return []

    def _written(self, node: _Node, square: int, k: int) -> _Node:
        free = ~node.taken
        isolation = node.isolation - _ISOLATION[(self._neighbours[square] & free).bit_count()]
        for near in self._squares_at[square][1]:
            if free >> near & 1:
                company = (self._neighbours[near] & free).bit_count()
                isolation += _ISOLATION[company - 1] - _ISOLATION[company]
        return _Node(node.taken | 1 << square, square, k + 1, isolation, node)

    def _cost(self, node: _Node) -> float:
        return node.isolation + _NOISE * self._generator.random()
