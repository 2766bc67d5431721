"""Filling the whole board of Up And Up: a beam search that is wary of squares left alone."""

import heapq
import random
from typing import NamedTuple

from engine.number_grid import rook_lines

_WIDTH = 300  # positions that are kept after each number, at first; doubled until the board is full
_LONELINESS = (2.0, 1.0, 0.5, 0.2, 0.0)  # of an empty square, by how many of its neighbours are empty
_NOISE = 0.5  # of the same measure, so that equal positions are not all of one kind


class _Node(NamedTuple):
    """A position: squares taken (a bit each), the last one, k, loneliness in all, and what came before."""

    taken: int
    last: int
    k: int
    loneliness: float
    before: "_Node | None"


def fill(size: int, seed: int = 1) -> list[int]:
    """Give the squares (as in `squares.names`) of a game that fills the board, in order.

    Searches until it has found one, always the same for a seed; a second or two are enough up to 12 by 12.
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
    """The search on a board of one size."""

    def __init__(self, size: int, generator: random.Random) -> None:
        self._size = size
        self._generator = generator
        self._at: list[list[list[int]]] = [[[] for _ in range(size + 1)] for _ in range(size**2)]
        for square, line in enumerate(rook_lines(size)):
            for other, far in line:
                self._at[square][far].append(other)
        self._near = [sum(1 << other for other in at[1]) for at in self._at]

    def beam(self, width: int) -> _Node | None:
        """Give a full board, or None when the beam was too narrow to reach one."""
        beam = [_Node(1 << square, square, 1, 0.0, None) for square in range(self._size**2)]
        for _ in range(self._size**2 - 1):
            reached: dict[tuple[int, int, int], _Node] = {}
            for node in beam:
                for following in self._following(node):
                    reached.setdefault(following[:3], following)
            if not reached:
                return None
            beam = heapq.nsmallest(width, reached.values(), key=self._dread)
        return beam[0]

    def _following(self, node: _Node) -> list[_Node]:
        """Give the positions after the next number."""
        for k in (min(node.k, self._size), 1):  # nothing is farther away than the size
            free = [square for square in self._at[node.last][k] if not node.taken >> square & 1]
            if free:
                return [self._written(node, square, k) for square in free]
        return []

    def _written(self, node: _Node, square: int, k: int) -> _Node:
        free = ~node.taken
        loneliness = node.loneliness - _LONELINESS[(self._near[square] & free).bit_count()]
        for other in self._at[square][1]:
            if free >> other & 1:
                company = (self._near[other] & free).bit_count()
                loneliness += _LONELINESS[company - 1] - _LONELINESS[company]
        return _Node(node.taken | 1 << square, square, k + 1, loneliness, node)

    def _dread(self, node: _Node) -> float:
        return node.loneliness + _NOISE * self._generator.random()
