"""Golden Nugget as arrays for the kernels: lines, colours, symmetries, and the weights of the estimate.

A board is two arrays of 49 squares, row by row from the top left: the block numbers, and the colours that
they show (0 is white). A pattern is a line of seven colours as a number in base 6. A layout is one of the 240
forms of a solved board: the strips are rows or columns, in one of 120 orders of the five colours.
"""

from collections.abc import Mapping
from itertools import permutations

import numpy as np

from engine.golden_nugget.blocks import COLOURS, Colour, Face
from engine.golden_nugget.board import FORCES
from engine.search.arrays import Array

FORCE_NAMES = tuple(FORCES)
LINES: Array = np.array([FORCES[name] for name in FORCE_NAMES], np.int64)
"""The 7 squares of each of the 28 forces, the nearest first."""

ORDERS: Array = np.array(list(permutations(range(1, 6))), np.int64)
"""The strip (1 to 5, counted across) of each colour, for each of the 120 orders."""

POWERS: Array = 6 ** np.arange(7, dtype=np.int64)


def _colours() -> Array:
    numbers = list(Colour)
    table = np.zeros((2, 50), np.uint8)
    for face, colours in COLOURS.items():
        for block, colour in colours.items():
            table[list(Face).index(face), block] = numbers.index(colour)
    return table


COLOURS_OF: Array = _colours()
"""The colour that each block, 1 to 49, shows on face A (row 0) and on face B (row 1)."""


def _symmetries() -> Array:
    squares = np.arange(49).reshape(7, 7)
    turned = [np.rot90(squares, quarter) for quarter in range(4)]
    return np.array([grid.ravel() for grid in (*turned, *(grid.T for grid in turned))], np.int64)


SYMMETRIES: Array = _symmetries()
"""The 8 symmetries of a board, each as the square that moves to each square."""


def _hashes() -> Array:
    numbers = np.random.default_rng(20_081_212).integers(1, 2**63 - 1, (49, 6))
    numbers[:, 0] = 0  # white squares do not contribute
    return numbers.astype(np.uint64)


HASHES: Array = _hashes()
"""A random number for each colour on each square. The key of a board is the exclusive or of its numbers."""


_CHANCE = np.random.default_rng(19_891_003)
FACTORS: Array = _CHANCE.integers(1, 2**63 - 1, 7).astype(np.uint64)
"""A random factor for each column of a board; the key of what it shows is the sum of patterns times these."""

KINDS: Array = 6 * COLOURS_OF[0].astype(np.uint64) + COLOURS_OF[1]
"""A number for each block, the same for blocks with the same colours."""

KIND_FACTORS: Array = _CHANCE.integers(1, 2**63 - 1, 49).astype(np.uint64)
"""A random factor for each square; the key of the blocks of a board is the sum of their kinds times these."""

UNIT = 16
"""Estimates are integers in units of 1/UNIT of a push."""

WEIGHTS: Mapping[str, float] = {"reach": 1.0, "steps": 0.15, "outer": 0.5, "ends": 0.15}
"""What a line across the strips adds to the estimate, in pushes.

`reach`: for each step of the block that is farthest above its strip, and of the one that is farthest below,
since a push moves all blocks of the line at once. `steps`: for each step of each block. `outer`: for each
block on an outermost line, which another push has to bring in. `ends`: for each block at the end of a line.
"""


def _transposed() -> Array:
    lines = [tuple(line) for line in LINES.tolist()]
    swapped = [tuple(square % 7 * 7 + square // 7 for square in line) for line in lines]
    return np.array([lines.index(line) for line in swapped], np.uint8)


TRANSPOSED: Array = _transposed()
"""The force that each force becomes when rows and columns of the board are exchanged."""
