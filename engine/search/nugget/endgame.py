"""A database of all boards within some moves of solved, found backwards from the one solved pattern."""

from dataclasses import dataclass

import numpy as np

from engine.search.arrays import Array
from engine.search.nugget import kernels
from engine.search.nugget.tables import HASHES, LINES, SYMMETRIES

DEEPEST = 6
_SIZES = (1, 6, 108, 1_887, 33_908, 598_941, 10_388_498)  # boards at each depth, up to symmetry and colours


@dataclass(frozen=True, slots=True)
class Endgame:
    """The boards up to `depth` moves from solved, alike ones once: a hash table of keys with their depths."""

    depth: int
    keys: Array
    values: Array

    @property
    def mask(self) -> np.uint64:
        """Give what a hash is masked with."""
        return np.uint64(len(self.keys) - 1)

    def depths(self, colours: Array) -> Array:
        """Give how many moves each board is from solved, or NOT_FOUND."""
        found: Array = kernels.depths(colours, SYMMETRIES, HASHES, self.keys, self.values, self.mask)
        return found

    def ways_down(self, blocks: Array, colours: Array, depth: int, most: int) -> tuple[Array, Array]:
        """Give up to `most` ways to solve a board of a known depth: the blocks at the end, and the forces."""
        ways: tuple[Array, Array] = kernels.ways_down(
            blocks, colours, depth, LINES, SYMMETRIES, HASHES, self.keys, self.values, self.mask, most
        )
        return ways


def build(depth: int) -> Endgame:
    """Build the database; a depth of 5 takes seconds, one of 6 most of a minute and 150 MB."""
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"The depth is from 0 to {DEEPEST}, not {depth}.")
    room = 1 << (sum(_SIZES[: depth + 1]) * 3 // 2).bit_length()
    endgame = Endgame(depth, np.zeros(room, np.uint64), np.zeros(room, np.uint8))
    solved = np.zeros((7, 7), np.uint8)
    solved[1:6, 1:6] = np.arange(1, 6)[:, None]
    boards = solved.reshape(1, 49)
    key = kernels.canonical(boards[0], SYMMETRIES, HASHES)
    kernels.put(endgame.keys, endgame.values, endgame.mask, key, np.uint8(0))
    for level in range(1, depth + 1):
        # Nothing is looked for beyond the deepest level.
        found = np.empty((_SIZES[level] if level < depth else 0, 49), np.uint8)
        kernels.boards_before(
            boards, LINES, SYMMETRIES, HASHES, endgame.keys, endgame.values, endgame.mask, level, found
        )
        boards = found
    return endgame
