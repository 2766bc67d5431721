"""Which entries have boards in common: hashes of the end positions from board 1 on."""

import hashlib
from collections.abc import Iterable, Sequence

from engine.golden_nugget.blocks import COLOURS, Face

DERIVED_FROM = 5
"""An entry that shares so many boards with an earlier one, counted from board 1, is derived from it."""

_HASH_BYTES = 16


def _looks() -> bytes:
    """Return for each block the first one with the same colours on both faces, which looks the same."""
    pairs = [(COLOURS[Face.A][block], COLOURS[Face.B][block]) for block in range(1, 50)]
    return bytes([0, *(pairs.index(pair) + 1 for pair in pairs)])


_LOOKS = _looks()


def prefix_hashes(ends: Iterable[Sequence[int]]) -> list[bytes]:
    """Return one hash for each board, of the end positions of all boards up to it.

    `ends` has the 49 block numbers at the end of board 1, 2, 3, …. The hashes of two records are equal up to
    the last board of their common beginning, whatever the moves in between. Blocks that look the same on both
    faces are not told apart: exchanging them makes no difference to the game.
    """
    hashes, last = [], b""
    for cells in ends:
        last = next_hash(last, cells)
        hashes.append(last)
    return hashes


def next_hash(before: bytes, cells: Sequence[int]) -> bytes:
    """Return the hash of a board that ends with these blocks, after boards with the hash `before`."""
    looks = bytes(_LOOKS[block] for block in cells)
    return hashlib.blake2b(before + looks, digest_size=_HASH_BYTES).digest()
