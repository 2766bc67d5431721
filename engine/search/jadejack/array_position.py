"""Positions of JadeJack as arrays for the kernels, and the geometry of a board."""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from engine import squares
from engine.game import Side
from engine.jadejack import PASS, Position, strengths
from engine.search.arrays import Array
from engine.search.jadejack import kernels

# Opposite directions are neighbours, so that direction ^ 1 is the opposite one. The straight ones come first.
_DIRECTIONS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))

_TALLEST = 100
"""No strength exceeds 48, so stacks of this height or higher can never be hijacked."""


class GeometryArrays(NamedTuple):
    """The squares on the 8 rays from each square, nearest first, the lengths of the rays, and the centre."""

    rays: Array
    lengths: Array
    centre: Array


@cache
def geometry_arrays(size: int) -> GeometryArrays:
    """Return the geometry of a board."""
    rays = np.zeros((size**2, 8, size - 1), np.int16)
    lengths = np.zeros((size**2, 8), np.int16)
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
    return GeometryArrays(rays, lengths, np.array(centre))


@dataclass(slots=True)
class ArrayPosition:
    """A position as arrays (see `kernels`), which `play` changes in place."""

    size: int
    planes: Array
    counts: Array

    def play(self, move: str) -> None:
        """Play a legal move: a square, or `pass`."""
        if move == PASS:
            self.counts[kernels.PASSES] += 1
            self.counts[kernels.SIDE] = 1 - self.counts[kernels.SIDE]
        else:
            square = squares.locate(move, self.size)
            kernels.put(square, self.planes, self.counts, geometry_arrays(self.size))


def as_arrays(position: Position) -> ArrayPosition:
    """Return a position as arrays."""
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
        list(black),
        list(white),
    )
    counts = (sum(map(len, stacks)), position.passes, 0 if position.side is Side.BLACK else 1)
    return ArrayPosition(position.size, np.array(planes, np.int8), np.array(counts, np.int64))
