"""Drawing a board by lot, so that anybody can check afterwards that nobody chose it.

A seed is announced by its SHA-256 before the board is drawn, and told when it no longer matters.
docs/golden-nugget-record.md describes how the board follows from it.
"""

import hashlib
from collections.abc import Iterator
from functools import lru_cache

from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import START, Board

SEED_BYTES = 32


def commitment(seed: bytes) -> str:
    """Return the SHA-256 of a seed as 64 hexadecimal digits, which announces it."""
    return hashlib.sha256(seed).hexdigest()


@lru_cache(64)  # those of the days that are looked at
def draw(seed: bytes) -> Board:
    """Return the board of a seed: the 49 blocks in one of all orders, which are equally likely."""
    cells, numbers = list(START.cells), _numbers(seed)
    for last in range(len(cells) - 1, 0, -1):
        other = next(numbers) % (last + 1)
        cells[last], cells[other] = cells[other], cells[last]
    return Board(Face.A, tuple(cells))


def _numbers(seed: bytes) -> Iterator[int]:
    """Yield numbers of 256 bits: the SHA-256 of the seed and of a counter of eight bytes, from 1 on."""
    counter = 0
    while True:
        counter += 1
        yield int.from_bytes(hashlib.sha256(seed + counter.to_bytes(8)).digest())
