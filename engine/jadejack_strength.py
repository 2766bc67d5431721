"""Strength in JadeJack: the strength that a stack gives along its lines, and what filling a gap cuts off.

A packed board is an int with eight bits for each square, the lowest for the first square. Adding two packed
boards adds them square by square, and `to_bytes` unpacks them. Strengths never overflow: each stack gives a
square one unit at most, and a square of the largest board, 13 × 13, is in line with at most 48 others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

TOP_BIT = 128
"""The highest of the eight bits of a square. No strength reaches it."""

_Ray = tuple[int, ...]
_Units = tuple[int, ...]
_Line = tuple[_Ray, _Units, _Ray, _Units]
_LinesBySquare = tuple[tuple[_Line, ...], ...]


@dataclass(frozen=True, slots=True)
class Geometry:
    """Lookup tables for boards of one size. Ints are packed boards.

    A ray is the squares from one square to the edge in one direction, nearest first; its `units[n]` has 1 on
    each of its first n squares. A line is a ray and its units, then the opposite ray and its units.
    """

    orthogonals: _LinesBySquare
    """The lines from each square along its row and column, except those whose ray is empty."""
    diagonals: _LinesBySquare
    """The lines from each square along its diagonals, except those whose ray is empty."""
    around: tuple[tuple[int, ...], ...]
    """The strength that an unblocked stack gives, by square and height (size + 1 reaches every edge)."""
    centre: int
    """All bits of the middle square of an odd board, or of the four middle squares of an even board."""
    top_bits: int
    """The top bit of every square."""


@cache
def geometry(size: int) -> Geometry:
    """Return the lookup tables for boards of a size."""
    every_square = range(size**2)

    def ray(square: int, right: int, up: int) -> _Ray:
        row, column = divmod(square, size)
        steps = ((row + up * distance, column + right * distance) for distance in range(1, size))
        return tuple(row * size + column for row, column in steps if 0 <= row < size and 0 <= column < size)

    def units(ray: _Ray) -> _Units:
        sums = list(accumulate((1 << 8 * square for square in ray), initial=0))
        return tuple(sums + sums[-1:] * (size + 2 - len(sums)))

    def lines(square: int, *directions: tuple[int, int]) -> tuple[_Line, ...]:
        pairs = [(ray(square, right, up), ray(square, -right, -up)) for right, up in directions]
        return tuple((there, units(there), behind, units(behind)) for there, behind in pairs if there)

    orthogonals = tuple(lines(square, (0, 1), (1, 0), (0, -1), (-1, 0)) for square in every_square)
    diagonals = tuple(lines(square, (1, 1), (1, -1), (-1, -1), (-1, 1)) for square in every_square)
    around = tuple(
        tuple(
            sum(units[height] for _, units, _, _ in orthogonals[square])
            + sum(units[max(height - 2, 0)] for _, units, _, _ in diagonals[square])
            for height in range(size + 2)
        )
        for square in every_square
    )
    middle = {(size - 1) // 2, size // 2}
    centre = sum(255 << 8 * (row * size + column) for row in middle for column in middle)
    return Geometry(
        orthogonals, diagonals, around, centre, sum(TOP_BIT << 8 * square for square in every_square)
    )


def strength_given(stacks: Sequence[str], square: int, size: int) -> int:
    """Return the strength that a stack gives its owner, packed (rules page: Strength, Blocking)."""
    board, height = geometry(size), len(stacks[square])
    strength = board.around[square][min(height, size + 1)]
    for lines, reach in ((board.orthogonals, height), (board.diagonals, height - 2)):
        if reach > 1:
            for ray, units, _, _ in lines[square]:
                if stacks[ray[0]]:
                    # The adjacent square always gets its unit; the rest of an unbroken run and the first
                    # empty square behind it get none.
                    strength -= units[min(first_gap(stacks, ray) + 1, reach)] - units[1]
    return strength


def close_gap(strength: dict[str, int], stacks: Sequence[str], square: int, size: int) -> None:
    """Subtract the strength that passes an empty square only because it is empty (rules page: Blocking).

    This is the strength of each stack with no other gap between it and the square, on the squares behind the
    square up to and including the next gap. `strength` has a packed board by the letter of each side.
    """
    board = geometry(size)
    for lines, shorter in ((board.orthogonals, 0), (board.diagonals, 2)):
        for ray, _, behind, units_behind in lines[square]:
            if not stacks[ray[0]]:
                continue
            for distance, source in enumerate(ray, start=1):
                stack = stacks[source]
                if not stack:
                    break
                reach_behind = len(stack) - shorter - distance
                if reach_behind > 0:
                    strength[stack[-1]] -= units_behind[min(first_gap(stacks, behind) + 1, reach_behind)]


def first_gap(stacks: Sequence[str], ray: _Ray) -> int:
    """Return the number of occupied squares on a ray before its first empty one."""
    for run, square in enumerate(ray):
        if not stacks[square]:
            return run
    return len(ray)
