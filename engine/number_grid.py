"""The common part of the games that write numbers on a grid: lines, distances, position strings.

Squares are indices into `squares.names`. A set of squares is an int with bit s set for square s.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from engine import squares
from engine.game import IllegalMove, MoveSyntaxError, OptionRange

_TEXT = re.compile(r"([1-9][0-9]?):([a-z0-9,]*)")
_QUEEN = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
_ROOK = tuple((dx, dy) for dx, dy in _QUEEN if not (dx and dy))

_Lines = tuple[tuple[tuple[int, int], ...], ...]


@cache
def queen_lines(size: int) -> _Lines:
    """Return, for each square, the squares on its eight lines with their distances, in board order."""
    return _lines(size, _QUEEN)


@cache
def queen_sets(size: int) -> tuple[int, ...]:
    """Return, for each square, the set of the squares on its eight lines."""
    return tuple(sum(1 << square for square, _ in line) for line in queen_lines(size))


@cache
def rook_lines(size: int) -> _Lines:
    """Return, for each square, the squares on its row and column with their distances, in board order."""
    return _lines(size, _ROOK)


@cache
def rook_squares(size: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return, for each square and distance (0 to `size`), the squares that far on its row and column."""
    return tuple(
        tuple(tuple(square for square, far in line if far == wanted) for wanted in range(size + 1))
        for line in rook_lines(size)
    )


@cache
def distance(start: int, end: int, size: int) -> int:
    """Return the distance between two different squares on a queen line, or 0 if no such line joins them."""
    rows, columns = (abs(a - b) for a, b in zip(divmod(start, size), divmod(end, size), strict=True))
    return max(rows, columns) if rows == columns or 0 in (rows, columns) else 0


def fewest_runs(size: int) -> int:
    """Return the fewest runs, within which each jump is longer than the one before, that fill a board.

    A full board has size² - 1 jumps. No jump is longer than size - 1 squares, so a run has at most size - 1
    of them, and (size² - 1) / (size - 1) = size + 1 runs are needed. A single square needs no jump, which
    counts as one run.
    """
    return size + 1 if size > 1 else 1


def leading_to(starts: int, free: int, lines: Sequence[int]) -> int:
    """Return the free squares among some, and those that jumps lead to from them, one after the other.

    `lines` has, for each square, the set of the squares that a jump may lead to.
    """
    reached = waiting = starts & free
    while waiting:
        square = (waiting & -waiting).bit_length() - 1
        more = lines[square] & free & ~reached
        reached |= more
        waiting = waiting & (waiting - 1) | more
    return reached


def parse(text: str, sizes: OptionRange) -> tuple[int, list[int]]:
    """Return the size and the squares, in the order of their numbers, of a text `<size>:<squares>`.

    Raise MoveSyntaxError. Whether the numbers may go on these squares is for the rules of the game to check.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        raise MoveSyntaxError("A position is its size and its squares in order, such as 5:c3,c5,a5.")
    size = int(match[1])
    if not sizes.minimum <= size <= sizes.maximum:
        raise MoveSyntaxError(
            "Choose a size from %(least)s to %(most)s, not %(size)s.",
            least=sizes.minimum,
            most=sizes.maximum,
            size=size,
        )
    try:
        return size, [squares.locate(name, size) for name in match[2].split(",") if match[2]]
    except IllegalMove as error:
        raise MoveSyntaxError(error.message, **error.figures) from None


def to_text(size: int, cells: Iterable[int]) -> str:
    """Return the text that `parse` accepts."""
    names = squares.names(size)
    return f"{size}:{','.join([names[cell] for cell in cells])}"


def numbers(size: int, cells: Iterable[int]) -> list[str]:
    """Return the number on each square as text, "" for an empty square."""
    written = [""] * size**2
    for number, cell in enumerate(cells, 1):
        written[cell] = str(number)
    return written


def _lines(size: int, directions: Sequence[tuple[int, int]]) -> _Lines:
    return tuple(
        tuple(
            sorted(
                ((row + dy * far) * size + column + dx * far, far)
                for dx, dy in directions
                for far in range(1, size)
                if 0 <= row + dy * far < size and 0 <= column + dx * far < size
            )
        )
        for row in range(size)
        for column in range(size)
    )
