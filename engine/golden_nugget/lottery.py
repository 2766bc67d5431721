"""Drawing a board by lot. docs/golden-nugget-record.md describes how the board follows from the seed."""

from functools import lru_cache

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board
from engine.lottery import numbers


@lru_cache(64)  # those of the days that are looked at
def draw(seed: bytes) -> Board:
    """Return the board of a seed: the 49 blocks in one of all orders, which are equally likely."""
    cells, drawn = list(START.cells), numbers(seed)
    for last in range(len(cells) - 1, 0, -1):
        other = next(drawn) % (last + 1)
        cells[last], cells[other] = cells[other], cells[last]
    return Board(Face.A, tuple(cells))
