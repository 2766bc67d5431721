"""The computer's lines as arrows over the board."""

import math
from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup

from engine import squares
from engine.search.player import EvaluatedMove

_GAP = 0.55  # from the middle of a square to where an arrow ends, in half squares
_HEAD = 0.5  # the length of an arrow's head


def arrows(ranking: Sequence[EvaluatedMove], size: int) -> Markup:
    """Return an SVG image to lay over the squares of a board.

    Each move has its rank and an arrow to the answer, the best one also arrows for all that is expected.
    """
    drawn = "".join(
        f'<g class="analysis-arrow analysis-arrow-{rank}" data-rank="{rank}">{_line(rank, thought, size)}</g>'
        for rank, thought in reversed(list(enumerate(ranking, 1)))
    )
    start = f'<svg class="analysis-arrows" viewBox="0 0 {2 * size} {2 * size}" aria-hidden="true">'
    return Markup(start + drawn + "</svg>")  # noqa: S704 - our own numbers


def _line(rank: int, thought: EvaluatedMove, size: int) -> str:
    moves = (thought.move, *(thought.line if rank == 1 else thought.line[:1]))
    indices = [squares.indices(size).get(move) for move in moves]
    parts = [
        _arrow(_middle(start, size), _middle(end, size))
        for start, end in pairwise(indices)
        if start is not None and end is not None and start != end
    ]
    if indices[0] is not None:
        x, y = _middle(indices[0], size)
        parts.append(f'<circle cx="{x}" cy="{y}" r="0.62"/><text x="{x}" y="{y + 0.3:g}">{rank}</text>')
    return "".join(parts)


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    length = math.dist(start, end)
    right, down = ((there - here) / length for here, there in zip(start, end, strict=True))
    tip_x, tip_y = end[0] - _GAP * right, end[1] - _GAP * down
    from_x, from_y = start[0] + _GAP * right, start[1] + _GAP * down
    back_x, back_y = tip_x - _HEAD * right, tip_y - _HEAD * down
    wide_x, wide_y = -down * _HEAD / 2, right * _HEAD / 2
    return (
        f'<path d="M{from_x:.2f} {from_y:.2f}L{back_x:.2f} {back_y:.2f}"/>'
        f'<path class="analysis-head" d="M{tip_x:.2f} {tip_y:.2f}L{back_x + wide_x:.2f} {back_y + wide_y:.2f}'
        f'L{back_x - wide_x:.2f} {back_y - wide_y:.2f}z"/>'
    )


def _middle(square: int, size: int) -> tuple[int, int]:
    """Return the middle of a square in half squares from the top left."""
    row, column = divmod(square, size)
    return 2 * column + 1, 2 * (size - 1 - row) + 1
