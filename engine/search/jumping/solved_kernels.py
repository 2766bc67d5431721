"""Solving rounds of Jumping Farther & Farther backwards, compiled. The web server never imports it."""

import numpy as np
from numba import njit

ZERO = 16 << 3
"""The value of a position in which no number can follow."""


@njit(cache=True)
def solve(area, targets, fars, reaches):
    """Return what every position is worth to the side to move, by `taken × area + last`.

    `taken` is the set of squares with a number and `last` the last square. The last jump matters by one
    point at most: a position is worth `base` points, and one more if the jump is below `bound`. Both are
    packed into a byte, as `(base + 16) << 3 | bound`.
    """
    values = np.full(area << area, ZERO, np.uint8)
    for taken in range((1 << area) - 1, 0, -1):  # a set is smaller than those with more squares
        for last in range(area):
            if not taken >> last & 1:
                continue
            base, bound = -99, 0
            for line in range(reaches[last]):
                square, far = targets[last, line], fars[last, line]
                if taken >> square & 1:
                    continue
                after = np.int64(values[(taken | 1 << square) * area + square])
                without = 16 - (after >> 3) - (far < (after & 7))
                if without > base:
                    base, bound = without, far
                elif without == base:
                    bound = max(bound, far)
            if bound:
                values[taken * area + last] = (base + 16) << 3 | bound
    return values
