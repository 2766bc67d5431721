"""Square names as in chess: a letter for the column from the left, a number for the row from the bottom."""

import re
from collections.abc import Iterable
from functools import cache

from engine.game import IllegalMove, MoveSyntaxError, quoted, shortened

COLUMNS = "abcdefghijklmnopqrstuvwxyz"

_NAME = re.compile("[a-z][1-9][0-9]*")


@cache
def names(size: int) -> tuple[str, ...]:
    """Return the names of the squares of a size × size board, row by row from the bottom left (a1, b1, …)."""
    return tuple(f"{COLUMNS[column]}{row + 1}" for row in range(size) for column in range(size))


@cache
def indices(size: int) -> dict[str, int]:
    """Return the index of each square name in `names(size)`."""
    return {name: index for index, name in enumerate(names(size))}


def locate(name: str, size: int) -> int:
    """Return the index of a square in `names(size)`.

    Raise MoveSyntaxError for text that names no square of any board, and IllegalMove (`off_board`) for a
    square that is not on this board.
    """
    index = indices(size).get(name)
    if index is not None:
        return index
    if not _NAME.fullmatch(name):
        raise MoveSyntaxError("%(text)s is not a square such as e5.", text=quoted(name))
    raise IllegalMove(
        "off_board",
        "There is no square %(square)s on a board of %(size)s by %(size)s.",
        square=shortened(name),
        size=size,
    )


def spans(cells: Iterable[int], size: int) -> list[tuple[str, str]]:
    """Return the first and the last of each run of squares in a column or row, the longest run first."""
    left, found = set(cells), []
    while left:
        runs = (_run(cell, step, left, size) for cell in sorted(left) for step in (size, 1))
        longest = max(runs, key=len)
        left -= {*longest}
        found.append((names(size)[longest[0]], names(size)[longest[-1]]))
    return found


def _run(cell: int, step: int, cells: set[int], size: int) -> list[int]:
    """Return the neighbours upwards or to the right from a square that are among some squares, and itself."""
    run = [cell]
    while run[-1] + step in cells and (step == size or (run[-1] + 1) % size):
        run.append(run[-1] + step)
    return run
