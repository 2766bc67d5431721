"""Jumping Farther & Farther compiled: an alpha-beta search over a round. The web server never imports it.

A round is `taken`, with a 1 for each square that is written on (indices as in `squares.names`), the last
square and the last jump. `targets`, `fars` and `reaches` are the queen lines of a board: for each square the
squares that it reaches, the farthest first, how far they are, and how many there are.
"""

import numpy as np
from numba import njit

POINT = 100
"""The worth of a point."""

_CHANCE = 40  # worth of being on move with a jump at hand that scores
_UNKNOWN = -2_000_000_000


@njit(cache=True)
def promise(last, jump, taken, targets, fars, reaches):
    """Give what a round that goes on promises the side to move; 0 when it is over."""
    for place in range(reaches[last]):
        if not taken[targets[last, place]]:
            return _CHANCE if fars[last, place] > jump else -_CHANCE // 4
    return 0


@njit(cache=True)
def negamax(last, jump, depth, alpha, beta, taken, targets, fars, reaches, budget):
    """Give by how much the side to move outscores the other from here on, looking `depth` numbers ahead.

    In hundredths of a point, exact when the round ends within the depth. `budget[0]` counts down the
    positions, and at 0 the search is void; `budget[1]` becomes 1 when the end was not always in sight.
    `taken` is the same after as before.
    """
    # A loop over levels: functions that call themselves cannot be cached reliably.
    lasts = np.empty(depth + 2, np.int64)
    jumps = np.empty(depth + 2, np.int64)
    alphas = np.empty(depth + 2, np.int64)
    betas = np.empty(depth + 2, np.int64)
    bests = np.empty(depth + 2, np.int64)
    gains = np.empty(depth + 2, np.int64)  # of the number that led to a level
    following = np.empty(depth + 2, np.int64)
    level = 1
    lasts[1], jumps[1], alphas[1], betas[1] = last, jump, alpha, beta
    bests[1], following[1], gains[1] = _UNKNOWN, 0, 0
    while True:
        here = lasts[level]
        value = np.int64(_UNKNOWN)
        is_done = False
        if level == depth + 1 or budget[0] <= 0:
            value = promise(here, jumps[level], taken, targets, fars, reaches)
            budget[1] |= value != 0
            is_done = True
        else:
            place = following[level]
            while place < reaches[here] and taken[targets[here, place]]:
                place += 1
            if place < reaches[here]:
                following[level] = place + 1
                square, far = targets[here, place], fars[here, place]
                gain = POINT if far > jumps[level] else 0
                taken[square] = 1
                budget[0] -= 1
                below = level + 1
                lasts[below], jumps[below], gains[below] = square, far, gain
                alphas[below], betas[below] = gain - betas[level], gain - alphas[level]
                bests[below], following[below] = _UNKNOWN, 0
                level = below
            else:
                value = bests[level] if bests[level] > _UNKNOWN else 0
                is_done = True
        while is_done:
            if level == 1:
                return value
            taken[lasts[level]] = 0
            value = gains[level] - value
            level -= 1
            bests[level] = max(bests[level], value)
            alphas[level] = max(alphas[level], value)
            value = bests[level]
            is_done = alphas[level] >= betas[level]
