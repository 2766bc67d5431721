"""A beam search for the solitaire of Jumping Farther & Farther on boards that are too large to solve.

The scores that it finds are lower bounds: they are reached, but may not be the best.
"""

import heapq
import random
from typing import NamedTuple

from engine.number_grid import queen_lines
from engine.search.jumping.solved import Line

_WIDTH = 5_000  # positions kept after each number
_JUMP_COST = 0.1  # points for each square of the last jump: more jumps are longer than a short one
_NOISE = 0.3  # points, so that the beam does not keep only positions of one kind


class _Node(NamedTuple):
    """A position: the set of squares taken, the last square, the last jump, points, and the node before."""

    taken: int
    last: int
    jump: int
    points: int
    before: "_Node | None"


def best_line(size: int, seed: int = 1) -> Line:
    """Return the highest score that the search finds, with its squares. It depends only on the seed."""
    generator = random.Random(seed)  # noqa: S311 - nothing secret
    lines = queen_lines(size)

    def promise(node: _Node) -> float:
        return node.points - _JUMP_COST * node.jump + _NOISE * generator.random()

    # A jump of `size` squares before the first number keeps the second number from scoring.
    beam = [_Node(1 << square, square, size, 0, None) for square in range(size**2)]
    best = beam[0]
    while beam:
        best = max(best, *beam, key=lambda node: node.points)
        reached: dict[tuple[int, int, int], _Node] = {}
        for node in beam:
            for square, far in lines[node.last]:
                if node.taken >> square & 1:
                    continue
                points = node.points + (far > node.jump)
                state = (node.taken | 1 << square, square, far)
                if state not in reached or reached[state].points < points:
                    reached[state] = _Node(*state, points, node)
        beam = heapq.nlargest(_WIDTH, reached.values(), key=promise)
    return Line(best.points, _path(best))


def _path(node: _Node | None) -> list[int]:
    cells = []
    while node is not None:
        cells.append(node.last)
        node = node.before
    return cells[::-1]
