"""A beam search for the solitaire of Jumping Farther & Farther, whose boards are mostly too large to solve.

The scores that it finds are lower bounds: they are reached, but may not be the best.
"""

import heapq
import random
from typing import NamedTuple

from engine import squares
from engine.jumping_farther import Position
from engine.number_grid import queen_lines
from engine.search.jumping.solved import Line

_WIDTH = 5_000  # positions kept after each number
_QUICK_WIDTH = 150
_JUMP_COST = 0.1  # points for each square of the last jump: more jumps are longer than a short one
_NOISE = 0.3  # points, so that the beam does not keep only positions of one kind


class _Node(NamedTuple):
    """A position: the set of squares taken, the last square, the last jump, points, and the node before."""

    taken: int
    last: int
    jump: int
    points: int
    before: "_Node | None"


def highest(size: int, seed: int = 1) -> Line:
    """Return the highest score that the search finds, with its squares. It depends only on the seed."""
    best = _best(size, _starts(size), _WIDTH, seed)
    return Line(best.points, _path(best))


def best_line(position: Position, seed: int = 1) -> list[str]:
    """Return the moves with which a quick search scores most from a position on."""
    round_ = position.current
    size, cells, names = round_.size, round_.cells, squares.names(round_.size)
    starts = _starts(size)
    if cells:
        starts = [_Node(round_.taken, cells[-1], round_.last_jump or size, sum(round_.points), None)]
    path = _path(_best(size, starts, _QUICK_WIDTH, seed))
    return [names[square] for square in (path[1:] if cells else path)]


def _starts(size: int) -> list[_Node]:
    # A jump of `size` squares before the first number keeps the second number from scoring.
    return [_Node(1 << square, square, size, 0, None) for square in range(size**2)]


def _best(size: int, beam: list[_Node], width: int, seed: int) -> _Node:
    """Return the position with the most points that a beam reaches."""
    generator = random.Random(seed)  # noqa: S311 - nothing secret
    lines = queen_lines(size)

    def promise(node: _Node) -> float:
        return node.points - _JUMP_COST * node.jump + _NOISE * generator.random()

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
        beam = heapq.nlargest(width, reached.values(), key=promise)
    return best


def _path(node: _Node | None) -> list[int]:
    cells = []
    while node is not None:
        cells.append(node.last)
        node = node.before
    return cells[::-1]
