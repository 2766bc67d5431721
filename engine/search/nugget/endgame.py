"""The endgame database: all boards within a few moves of solved, found backwards from the solved board."""

from dataclasses import dataclass

import numpy as np

from engine.search.arrays import Array
from engine.search.nugget import kernels
from engine.search.nugget.tables import HASHES, LINES, SYMMETRIES

DEEPEST = 6
_SIZES = (
    1,
    6,
    108,
    1_887,
    33_908,
    598_941,
    10_388_498,
)  # boards at each depth, up to symmetry and permutations of colours


@dataclass(frozen=True, slots=True)
class Endgame:
    """The boards up to `depth` moves from solved: a hash table of the depths by `kernels.canonical` key."""

    depth: int
    keys: Array
    values: Array

    @property
    def mask(self) -> np.uint64:
        """Return the bit mask that turns a hash into an index of the table."""
        return np.uint64(len(self.keys) - 1)

    def depths(self, colours: Array) -> Array:
        """Return the number of moves that each board is from solved, or NOT_FOUND."""
        depths: Array = kernels.depths(colours, SYMMETRIES, HASHES, self.keys, self.values, self.mask)
        return depths

    def ways_down(self, blocks: Array, colours: Array, depth: int, most: int) -> tuple[Array, Array]:
        """Return up to `most` ways to solve a board of known depth: the final blocks, and the forces."""
        ways: tuple[Array, Array] = kernels.ways_down(
            blocks, colours, depth, LINES, SYMMETRIES, HASHES, self.keys, self.values, self.mask, most
        )
        return ways


def build(depth: int) -> Endgame:
    """Build the database. Depth 5 takes seconds, depth 6 most of a minute and 150 MB.

    Raise ValueError if the depth is not from 0 to DEEPEST.
    """
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
        # The boards of the last level are not needed: no search starts from them.
        added = np.empty((_SIZES[level] if level < depth else 0, 49), np.uint8)
        kernels.boards_before(
            boards, LINES, SYMMETRIES, HASHES, endgame.keys, endgame.values, endgame.mask, level, added
        )
        boards = added
    return endgame
