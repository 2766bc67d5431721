"""Jumping Farther & Farther solved: every position of a small board is worked out, the last ones first.

What is still to be had depends on the squares that are taken, the last square and the last jump alone. Boards
of 4 by 4 have some two million such cases; those of 5 by 5 would have a thousand times as many.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.number_grid import queen_lines

LARGEST = 4
"""The size of the largest board that can be solved in seconds."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The value of a board under best play, and a game that leads to it (squares as in `squares.names`)."""

    value: int
    cells: Sequence[int]


def best_solitaire(size: int) -> Solved:
    """Give the highest score of the solitaire. Raises ValueError for a board that is too large."""
    return _solve(size, 1)


def best_play(size: int) -> Solved:
    """Give by how many points the first side wins a round when both play as well as can be.

    Raises ValueError for a board that is too large.
    """
    return _solve(size, -1)


def _solve(size: int, sign: int) -> Solved:
    """Solve a board; `sign` tells whether what follows is one's own (1) or the opponent's (-1)."""
    if not 1 <= size <= LARGEST:
        raise ValueError(f"Boards up to {LARGEST}×{LARGEST} can be solved, not {size}×{size}.")
    worth = _worth(size, sign)

    def value(cells: Sequence[int], jump: int) -> int:
        return sign * worth[sum(1 << cell for cell in cells)][cells[-1]][jump]

    # No second number can better the jump of the first one, which counts as the size of the board.
    cells, jump = [max(range(size**2), key=lambda start: value([start], size))], size
    best = value(cells, jump)
    while reach := [one for one in queen_lines(size)[cells[-1]] if one[0] not in cells]:
        worths = [(far > jump) + value([*cells, square], far) for square, far in reach]
        square, jump = reach[worths.index(max(worths))]
        cells.append(square)
    return Solved(best, cells)


def _worth(size: int, sign: int) -> list[dict[int, list[int]]]:
    """Give what the next writer gets at best: by squares taken (a bit each), last square and last jump."""
    lines = queen_lines(size)
    worth: list[dict[int, list[int]]] = [{} for _ in range(1 << size**2)]
    for taken in range((1 << size**2) - 1, 0, -1):
        for last in range(size**2):
            if not taken >> last & 1:
                continue
            best: dict[int, int] = {}  # by jump: the worth of what follows it
            for square, far in lines[last]:
                if not taken >> square & 1:
                    rest = sign * worth[taken | 1 << square][square][far]
                    if rest > best.get(far, -99):
                        best[far] = rest
            rests = best.items()
            worth[taken][last] = (
                [max([rest + (far > jump) for far, rest in rests]) for jump in range(size + 1)]
                if best
                else [0] * (size + 1)
            )
    return worth
