"""Jumping Farther & Farther solved on small boards, from the last positions back to the first.

The rest of a round depends only on the set of squares taken, the last square and the last jump. A board of
4 × 4 has about two million such states, and one of 5 × 5 would have a thousand times as many.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.number_grid import queen_lines
from engine.symmetry import turns

LARGEST = 4
"""The size of the largest board that can be solved in seconds."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of play: its value, and its squares as indices into `squares.names`."""

    value: int
    cells: Sequence[int]


def best_solitaire(size: int) -> Line:
    """Return the highest score of the solitaire. Raise ValueError if the board is too large."""
    return _solve(size, 1)


def best_play(size: int) -> Line:
    """Return the lead of the first side in a round if both sides play best.

    Raise ValueError if the board is too large.
    """
    return _solve(size, -1)


def _solve(size: int, sign: int) -> Line:
    """Solve a board; `sign` is 1 if the same player writes the next number, -1 if the opponent does."""
    if not 1 <= size <= LARGEST:
        raise ValueError(f"Boards up to {LARGEST}×{LARGEST} can be solved, not {size}×{size}.")
    values = _values(size, sign)

    def value(cells: Sequence[int], jump: int) -> int:
        return sign * values[sum(1 << cell for cell in cells)][cells[-1]][jump]

    # A jump of `size` squares before the first number keeps the second number from scoring.
    cells, jump = [max(range(size**2), key=lambda start: value([start], size))], size
    best = value(cells, jump)
    while reach := [(square, far) for square, far in queen_lines(size)[cells[-1]] if square not in cells]:
        gains = [(far > jump) + value([*cells, square], far) for square, far in reach]
        square, jump = reach[gains.index(max(gains))]
        cells.append(square)
    return Line(best, cells)


def _values(size: int, sign: int) -> list[dict[int, list[int]]]:
    """Return the best result of the next writer, by set of squares taken, last square and last jump.

    The images of a set have the same results, so they are found for one of them.
    """
    lines = queen_lines(size)
    values: list[dict[int, list[int]]] = [{} for _ in range(1 << size**2)]
    for taken in range((1 << size**2) - 1, 0, -1):
        if values[taken]:
            continue
        results: dict[int, list[int]] = {}
        for last in (square for square in range(size**2) if taken >> square & 1):
            best: dict[int, int] = {}  # by jump: the value of the rest after it
            for square, far in lines[last]:
                if not taken >> square & 1:
                    rest = sign * values[taken | 1 << square][square][far]
                    if rest > best.get(far, -99):
                        best[far] = rest
            rests = best.items()
            results[last] = (
                [max([rest + (far > jump) for far, rest in rests]) for jump in range(size + 1)]
                if best
                else [0] * (size + 1)
            )
        for turn in turns(size):
            image = {turn.targets[last]: result for last, result in results.items()}
            values[sum(1 << square for square in image)] = image
    return values
