"""An alpha-beta search of a round of Jumping Farther & Farther, compiled. The web server never imports it.

A round is given by `taken`, with a 1 for each square that has a number (in the order of `squares.names`),
the last square and the last jump. `targets`, `fars` and `reaches` are the queen lines of a board: for each
square, the squares on its lines, the farthest first, their distances, and their number.
"""

import numpy as np
from numba import njit

POINT = 100
"""The value of a point: values are in hundredths of a point."""

_CHANCE = 40  # value of being to move when some jump scores
_UNKNOWN = -2_000_000_000


@njit(cache=True, nogil=True)
def evaluate(last, jump, taken, targets, fars, reaches):
    """Return the estimated value of a round for the side to move; 0 if it is over."""
    for place in range(reaches[last]):
        if not taken[targets[last, place]]:
            return _CHANCE if fars[last, place] > jump else -_CHANCE // 4
    return 0


@njit(cache=True, nogil=True)
def negamax(last, jump, depth, alpha, beta, taken, targets, fars, reaches, budget):
    """Return how much the side to move outscores the other in the rest of the round, `depth` plies ahead.

    The result is exact if the round ends within the depth. `budget[0]` counts down the positions; at 0 the
    search stops and its result is void. `budget[1]` becomes 1 if some line did not reach the end of the
    round. `taken` is unchanged afterwards.
    """
    # A loop over levels, because numba does not reliably cache recursive functions.
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
            value = evaluate(here, jumps[level], taken, targets, fars, reaches)
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
