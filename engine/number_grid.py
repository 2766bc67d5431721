"""What the games that write numbers on a grid share: distances, and the squares of a position string."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from engine import squares
from engine.game import IllegalMove, MoveSyntaxError, OptionRange

_TEXT = re.compile(r"([1-9][0-9]?):([a-z0-9,]*)")
_QUEEN = tuple((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)
_ROOK = tuple((dx, dy) for dx, dy in _QUEEN if not (dx and dy))


@cache
def queen_lines(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Give for each square the squares on its eight lines with their distances, in board order."""
    return _lines(size, _QUEEN)


@cache
def rook_lines(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Give for each square the squares on its four straight lines with their distances, in board order."""
    return _lines(size, _ROOK)


@cache
def distance(start: int, end: int, size: int) -> int:
    """Give how far apart two different squares of one line are, or 0 when no line of the eight joins them."""
    rows, columns = (abs(a - b) for a, b in zip(divmod(start, size), divmod(end, size), strict=True))
    return max(rows, columns) if rows == columns or 0 in (rows, columns) else 0


def is_free(taken: int, square: int) -> bool:
    """Tell whether a square is empty; `taken` has bit s set where square s holds a number."""
    return not taken >> square & 1


def parse(text: str, sizes: OptionRange) -> tuple[int, list[int]]:
    """Read `<n>:<cells>` into the size and the squares in the order of their numbers.

    Raises MoveSyntaxError. Whether the squares can follow on each other is for the game to say.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise MoveSyntaxError("A position is its size and its squares in order, such as 5:c3,c5,a5.")
    size = int(found[1])
    if not sizes.minimum <= size <= sizes.maximum:
        raise MoveSyntaxError(f"The size is from {sizes.minimum} to {sizes.maximum}, not {size}.")
    try:
        return size, [squares.locate(name, size) for name in found[2].split(",") if found[2]]
    except IllegalMove as error:
        raise MoveSyntaxError(str(error)) from None


def to_text(size: int, cells: Iterable[int]) -> str:
    """Write the text that `parse` reads back."""
    names = squares.names(size)
    return f"{size}:{','.join(names[cell] for cell in cells)}"


def _lines(size: int, directions: Sequence[tuple[int, int]]) -> tuple[tuple[tuple[int, int], ...], ...]:
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
