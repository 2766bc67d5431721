"""A small network that corrects the values of squares by what is next to them.

It sees the squares in threes: for each square, its kind and lead, those of the four beside it and of the four
diagonally adjacent ones, from the view of the side to move. What the three tables have for them is added up
to a few units; those above 0 count, each by a weight that depends on the number of disks on the board.
`network.npz`, which `training` writes, has the numbers.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np

from engine.search.arrays import Array, read_arrays
from engine.search.jadejack import kernels
from engine.search.jadejack.kernels import UNITS

OUTSIDE = kernels.ENTRIES
"""The entry of what is next to a square on the edge of the board."""

TOKENS = kernels.ENTRIES + 1
"""The entries of a network's tables: kinds and leads, as `kernels.entry` counts them, and OUTSIDE."""

NEAR = 3
"""The number of tables: for a square itself, those beside it, and those diagonally adjacent."""

NONE = "none"
"""What is written for the file of no network."""

BENDS = 3
"""Weights are polynomials of the number of disks per square with so many coefficients."""


class Network(NamedTuple):
    """The numbers of a network, in points.

    `patterns` (NEAR, TOKENS, UNITS) and `bias` (UNITS) lead to the units, `weights` (BENDS, UNITS) from the
    units to the value. `squares` (BENDS, TOKENS) and `move` (BENDS) are added to it.
    """

    patterns: Array
    bias: Array
    weights: Array
    squares: Array
    move: Array


class Judge(NamedTuple):
    """A network for a number of disks per square; the first axis of `patterns` and `squares` is the side."""

    patterns: Array
    bias: Array
    weights: Array
    squares: Array
    move: Array


@cache
def stored(path: str = "") -> Network | None:
    """Return the network of a file, the one of the project, or None for NONE.

    Raise ValueError for another file, or OSError.
    """
    if path == NONE:
        return None
    arrays = read_arrays(Path(path or str(files("engine.search.jadejack").joinpath("network.npz"))))
    wanted = {name: (array.shape, array.dtype) for name, array in empty()._asdict().items()}
    if {name: (array.shape, array.dtype) for name, array in arrays.items()} != wanted:
        raise ValueError(f"{path} is no network of this version.")
    return Network(**arrays)


def save(network: Network, file: BinaryIO) -> None:
    """Write a network to a file, from which `stored` reads it."""
    np.savez(file, **network._asdict())


def empty() -> Network:
    """Return a network of zeros."""
    shapes = (NEAR, TOKENS, UNITS), (UNITS,), (BENDS, UNITS), (BENDS, TOKENS), (BENDS,)
    return Network(*(np.zeros(shape, np.float32) for shape in shapes))


@cache
def mirror() -> Array:
    """Return the entry of each entry for the other side."""
    turned = np.arange(TOKENS)
    for kind in range(kernels.KINDS):
        other = kind if kind == 0 else (kind - 1 + 2 * kernels.HEIGHTS) % (4 * kernels.HEIGHTS) + 1
        for lead in range(kernels.COLUMNS):
            turned[kind * kernels.COLUMNS + lead] = other * kernels.COLUMNS + kernels.COLUMNS - 1 - lead
    return turned


def judge(network: Network | None, filled: float) -> Judge:
    """Return a network for a number of disks per square, in hundredths of a point; None has no units."""
    if network is None:
        nothing = np.zeros(0, np.float32)
        patterns = np.zeros((2, NEAR, TOKENS, 0), np.float32)
        return Judge(patterns, nothing, nothing, np.zeros((2, TOKENS), np.float32), nothing)
    powers = kernels.POINT * filled ** np.arange(BENDS)
    squares = powers @ network.squares
    return Judge(
        np.stack([network.patterns, network.patterns[:, mirror()]]),
        network.bias,
        (powers @ network.weights).astype(np.float32),
        np.stack([squares, squares[mirror()]]).astype(np.float32),
        np.array([powers @ network.move], np.float32),
    )
