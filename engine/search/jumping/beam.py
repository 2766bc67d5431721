"""The solitaire of Jumping Farther & Farther on boards that are too large to be solved: a beam search.

What it finds is reached, and nothing says that it cannot be bettered.
"""

import heapq
import random
from typing import NamedTuple

from engine.number_grid import queen_lines
from engine.search.jumping.solved import Solved

_WIDTH = 5_000  # positions that are kept after each number
_JUMP_WORTH = 0.1  # points that a square less in the last jump is worth: more jumps can better a short one
_NOISE = 0.3  # points, so that equal positions are not all of one kind


class _Node(NamedTuple):
    """A position: squares taken (a bit each), the last one, the jump to it, points, and what came before."""

    taken: int
    last: int
    jump: int
    points: int
    before: "_Node | None"


def best_found(size: int, seed: int = 1) -> Solved:
    """Give the highest score that a search finds, always the same for a seed, with its squares in order."""
    generator = random.Random(seed)  # noqa: S311 - nothing secret
    lines = queen_lines(size)

    def promise(node: _Node) -> float:
        return node.points - _JUMP_WORTH * node.jump + _NOISE * generator.random()

    # No second number can better the jump of the first one, which counts as the size of the board.
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
                case = (node.taken | 1 << square, square, far)
                if case not in reached or reached[case].points < points:
                    reached[case] = _Node(*case, points, node)
        beam = heapq.nlargest(_WIDTH, reached.values(), key=promise)
    return Solved(best.points, _path(best))


def _path(node: _Node | None) -> list[int]:
    cells = []
    while node is not None:
        cells.append(node.last)
        node = node.before
    return cells[::-1]
