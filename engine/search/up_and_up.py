"""Long games of Up And Up: a beam search that avoids isolated empty squares."""

import heapq
import random
from typing import NamedTuple

from engine import squares
from engine.number_grid import rook_squares
from engine.up_and_up import Position

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
    search, width = _Search(size, seed), _WIDTH
    while len(cells := search.longest(_starts(size), width)) < size**2:
        width *= 2
    return cells


def best_line(position: Position, seed: int = 1) -> list[str]:
    """Return the moves of the longest way to go on that a quick search finds from a position."""
    size, cells, names = position.size, position.cells, squares.names(position.size)
    starts = _starts(size)
    if cells:
        starts = [_Node(position.taken, cells[-1], position.k, 0.0, None)]
    path = _Search(size, seed).longest(starts, _WIDTH)
    return [names[square] for square in (path[1:] if cells else path)]


def _starts(size: int) -> list[_Node]:
    return [_Node(1 << square, square, 1, 0.0, None) for square in range(size**2)]


class _Search:
    """The search on boards of one size."""

    def __init__(self, size: int, seed: int) -> None:
        self._generator = random.Random(seed)  # noqa: S311 - nothing secret
        self._squares_at = rook_squares(size)
        self._neighbours = [sum(1 << near for near in squares[1]) for squares in self._squares_at]

    def longest(self, starts: list[_Node], width: int) -> list[int]:
        """Return the squares of the longest game that a beam finds from the last squares of `starts` on."""
        beam = starts
        while True:
            reached: dict[tuple[int, int, int], _Node] = {}
            for node in beam:
                for following in self._following(node):
                    reached.setdefault(following[:3], following)
            if not reached:
                return _path(beam[0])
            beam = heapq.nsmallest(width, reached.values(), key=self._cost)

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


def _path(node: _Node | None) -> list[int]:
    cells = []
    while node is not None:
        cells.append(node.last)
        node = node.before
    return cells[::-1]
