"""Square names as on a chess board: a column letter from the left, a row number from the bottom."""

import re
from functools import cache

from engine.game import IllegalMove, MoveSyntaxError

COLUMNS = "abcdefghijklmnopqrstuvwxyz"

_NAME = re.compile("[a-z][1-9][0-9]*")


@cache
def names(size: int) -> tuple[str, ...]:
    """Give the names of the squares of a size x size board, row by row from the bottom left (a1, b1, ...)."""
    return tuple(f"{COLUMNS[column]}{row + 1}" for row in range(size) for column in range(size))


@cache
def indices(size: int) -> dict[str, int]:
    """Give the index into `names(size)` of each square name."""
    return {name: index for index, name in enumerate(names(size))}


def locate(name: str, size: int) -> int:
    """Give the index into `names(size)` of a square.

    Raises MoveSyntaxError for text that names no square of any board, and IllegalMove (`off_board`) for a
    square that this board lacks.
    """
    index = indices(size).get(name)
    if index is not None:
        return index
    if not _NAME.fullmatch(name):
        raise MoveSyntaxError(f"{name!r} is not a square such as e5.")
    raise IllegalMove("off_board", f"There is no square {name} on a board of {size} by {size}.")
