"""What a search of JadeJack works on: a position as arrays, the geometry of its board, and all its memory."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import typeof

from engine.game import Side
from engine.jadejack import JADEJACK, Position, strengths
from engine.search.arrays import Array
from engine.search.jadejack import kernels
from engine.search.jadejack.network import OUTSIDE, Judge, judge

DEEPEST = 40
"""The plies that a search can look ahead."""

# Opposite directions are neighbours, so that direction ^ 1 is the opposite one. The straight ones come first.
_DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))

_TALLEST = 100
"""No strength exceeds 48, so stacks of this height or higher can never be hijacked."""

_LARGEST = 13  # squares a side
_STATE = 6  # numbers that are remembered to take back a move


class Geometry(NamedTuple):
    """The squares on the 8 rays from each square, nearest first, the lengths of the rays, and the centre."""

    rays: Array
    lengths: Array
    centre: Array


class Search(NamedTuple):
    """A position (see `kernels`), the table of values, a network, and the memory of a search.

    `near` is the board with a border, for the network.
    `targets`, `changed`, `undo`, `moves` and `gains` have a row for each ply. The last five are the table of
    positions: hashes, values, depths, whether a value is a bound, and the best moves.
    """

    board: Array
    counts: Array
    key: Array
    budget: Array
    geometry: Geometry
    table: Array
    judge: Judge
    near: Array
    hashes: Array
    targets: Array
    changed: Array
    undo: Array
    moves: Array
    gains: Array
    keys: Array
    values: Array
    depths: Array
    bounds: Array
    firsts: Array


@cache
def geometry(size: int) -> Geometry:
    """Return the geometry of a board."""
    rays = np.zeros((size**2, 8, size - 1), np.uint8)
    lengths = np.zeros((size**2, 8), np.int8)
    for square in range(size**2):
        row, column = divmod(square, size)
        for direction, (up, right) in enumerate(_DIRECTIONS):
            for step in range(1, size):
                target_row, target_column = row + up * step, column + right * step
                if 0 <= target_row < size and 0 <= target_column < size:
                    rays[square, direction, step - 1] = target_row * size + target_column
                    lengths[square, direction] = step
    middle = {(size - 1) // 2, size // 2}
    centre = [row in middle and column in middle for row in range(size) for column in range(size)]
    return Geometry(rays, lengths, np.array(centre))


@cache
def _hashes() -> Array:
    generator = np.random.default_rng(1)
    return generator.integers(0, 1 << 63, (_LARGEST**2, kernels.HASHED)).astype(np.uint64)


def board_of(position: Position) -> Array:
    """Return the planes of a position."""
    sides = {"b": 0, "w": 1}
    stacks = position.stacks
    black, white = strengths(position)
    planes = (
        [sides[stack[-1]] if stack else -1 for stack in stacks],
        [min(len(stack), _TALLEST) for stack in stacks],
        [
            kernels.kind(sides[stack[-1]], len(stack), stack[-1] in stack[-2:-1]) if stack else 0
            for stack in stacks
        ],
        [ours - theirs for ours, theirs in zip(black, white, strict=True)],
    )
    return np.array(planes, np.int8)


def entries(board: Array) -> Array:
    """Return where a table has the values of the squares of a board, as `kernels.entry` does for one."""
    leads = np.clip(board[kernels.LEAD].astype(np.int64), -kernels.LEADS, kernels.LEADS)
    found: Array = board[kernels.KIND].astype(np.int64) * kernels.COLUMNS + kernels.LEADS + leads
    return found


def disks(position: Position) -> int:
    """Return the number of disks on the board."""
    return sum(map(len, position.stacks))


def search_of(position: Position, table: Array, judge: Judge, positions: int = 1) -> Search:
    """Return the memory for a search with a table of values, which has room for so many positions."""
    board = board_of(position)
    values = table[entries(board)]
    komi = round(position.komi * kernels.POINT)
    counts = [disks(position), position.passes, position.side is Side.WHITE, values.sum() - komi, komi]
    rows = DEEPEST + 1
    return Search(
        board,
        np.array(counts, np.int64),
        np.zeros(1, np.uint64),
        np.zeros(1, np.int64),
        geometry(position.size),
        table,
        judge,
        np.full((position.size + 2) ** 2, OUTSIDE, np.uint8),
        _hashes(),
        np.zeros((rows, 8 * position.size), np.uint8),
        np.zeros((rows, 8 * position.size), np.int8),
        np.zeros((rows, _STATE), np.int64),
        np.zeros((rows, position.size**2), np.int16),
        np.zeros((rows, position.size**2), np.int32),
        *(np.zeros(positions, kind) for kind in (np.uint64, np.int32, np.int8, np.int8, np.int16)),
    )


SEARCH = typeof(search_of(JADEJACK.initial({}), np.zeros(kernels.ENTRIES, np.int32), judge(None, 0.0)))
"""The type of a search for the compiler."""
