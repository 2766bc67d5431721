"""An alpha-beta search of JadeJack, compiled: a principal variation search with a table of positions.

Values are those of `kernels`, for the side to move. Of the placements, only those with the greatest gains are
searched, and the later ones of them less deeply unless they turn out well. `search.budget` counts down the
evaluations; when it is used up, a search stops and its value means nothing.
"""

import numpy as np
from numba import njit, types

from engine.search.jadejack.kernels import (
    PASS,
    PASSES,
    SIDE,
    VALUE,
    compiled,
    final,
    judged,
    make,
    rank,
    unmake,
)
from engine.search.jadejack.memory import DEEPEST, SEARCH
from engine.search.player import INFINITE

UNKNOWN = -2 * INFINITE
_LOWER, _UPPER, _EXACT = 1, 2, 3  # whether a value in the table is a bound
_LATE = ((2, 1), (6, 2), (16, 3))  # from which move on to search how many plies less
_LATE_AT_ROOT = ((3, 1), (8, 2), (20, 3))  # the same for each line whose value is to be exact
_FAR = 500  # hundredths of a point: the network hardly ever adds more
_DOUBT = 100  # hundredths of a point: what a network may add
_PASS_BELOW = 60  # hundredths of a point: whoever gains more by a placement does not pass
_AFTER_PASS = np.uint64(0x9E3779B97F4A7C15)  # the hash of a pass just made
_BLACK_TO_MOVE = np.uint64(0xD1B54A32D192ED03)


@compiled
def _later(place, depth, late):
    """Return by how many plies less than `depth` to search the move with this place in the order."""
    fewer = 0
    for first, plies in late:
        if place >= first:
            fewer = plies
    return max(min(fewer, depth - 2), 0)


@compiled
def _slot(search):
    """Return the hash of the position, and its place in the table."""
    key = search.key[0]
    if search.counts[SIDE] == 0:
        key ^= _BLACK_TO_MOVE
    if search.counts[PASSES] == 1:
        key ^= _AFTER_PASS
    return key, key & np.uint64(len(search.keys) - 1)


@compiled
def _bring_forward(move, ply, count, search):
    """Make a move the first of those at `ply`, if it is among them."""
    moves, gains = search.moves, search.gains
    for place in range(1, count):
        if moves[ply, place] == move:
            gain = gains[ply, place]
            for at in range(place, 0, -1):
                moves[ply, at], gains[ply, at] = moves[ply, at - 1], gains[ply, at - 1]
            moves[ply, 0], gains[ply, 0] = move, gain
            return


@compiled
def _one_ply(static, passed, passes, alpha, beta, ply, search):
    """Return the value after the greatest gain or a pass, corrected by the network where that can matter."""
    found = rank(ply, 1, search)
    if passes == 1 and not found:
        return passed
    best = static + (search.gains[ply, 0] if found else 0)
    if passes == 0:
        best = max(best, static)
    if len(search.judge.bias):
        if best + _FAR <= alpha:
            best += _FAR
        elif best - _FAR >= beta:
            best -= _FAR
        else:
            best += judged(search)
    return max(best, passed) if passes == 1 else best


# A function that calls itself is cached only if its types are given.
@njit(types.int64(SEARCH, *[types.int64] * 5), cache=True, _nrt=False)
def negamax(search, depth, ply, alpha, beta, width):
    """Return the value of the position, `depth` plies ahead, or a bound if it is not from alpha to beta.

    At each level, at most `width` placements are searched.
    """
    counts = search.counts
    passes = counts[PASSES]
    if passes == 2:
        return final(search.board, counts)
    static = counts[VALUE] if counts[SIDE] == 0 else -counts[VALUE]
    if search.budget[0] <= 0 or ply >= DEEPEST:
        return static
    # A second pass ends the game; a first one leaves the position, at least, as it is.
    passed = final(search.board, counts) if passes == 1 else static
    if depth <= 1:
        return _one_ply(static, passed, passes, alpha, beta, ply, search)
    key, slot = _slot(search)
    first = np.int64(PASS)
    if search.keys[slot] == key:
        value, bound = search.values[slot], search.bounds[slot]
        if search.depths[slot] >= depth and (
            bound == _EXACT or (bound == _LOWER and value >= beta) or (bound == _UPPER and value <= alpha)
        ):
            return value
        first = np.int64(search.firsts[slot])
    if passes == 0 and depth > 2 and static >= beta:
        # A pass is legal, so if it is good enough, the position is.
        make(PASS, ply, search)
        value = -negamax(search, depth - 3, ply + 1, -beta, 1 - beta, width)
        unmake(PASS, passes, ply, search)
        if value >= beta:
            return value
    count = rank(ply, width, search)
    _bring_forward(first, ply, count, search)
    best, best_move, low = np.int64(UNKNOWN), np.int64(PASS), alpha
    if passes == 1:
        best = passed
    elif count == 0 or search.gains[ply, 0] < _PASS_BELOW:
        make(PASS, ply, search)
        best = -negamax(search, depth - 1, ply + 1, -beta, -alpha, width)
        unmake(PASS, passes, ply, search)
    low = max(low, best)
    margin = _DOUBT if len(search.judge.bias) else 0
    for place in range(count):
        if low >= beta or search.budget[0] <= 0:
            break
        limit = static + search.gains[ply, place] + margin
        if depth == 2 and place > 0 and limit <= low:
            best = max(best, limit)  # the other side can pass, at least
            continue
        move = np.int64(search.moves[ply, place])
        make(move, ply, search)
        if place == 0:
            value = -negamax(search, depth - 1, ply + 1, -beta, -low, width)
        else:
            fewer = _later(place, depth, _LATE)
            value = -negamax(search, depth - 1 - fewer, ply + 1, -low - 1, -low, width)
            if value > low and fewer:
                value = -negamax(search, depth - 1, ply + 1, -low - 1, -low, width)
            if low < value < beta:
                value = -negamax(search, depth - 1, ply + 1, -beta, -low, width)
        unmake(move, passes, ply, search)
        if value > best:
            best, best_move = value, move
            low = max(low, value)
    if search.budget[0] > 0:
        search.keys[slot], search.depths[slot] = key, depth
        search.values[slot], search.firsts[slot] = best, best_move
        search.bounds[slot] = _LOWER if best >= beta else _UPPER if best <= alpha else _EXACT
    return best


@compiled
def deepen(search, depth, width, order, values, exact, tops):
    """Search moves, squares or PASS, in order, and write the value of each to `values`.

    Those of the best moves are exact, as many as `tops` has room for; the others are bounds that no value
    exceeds. Return the number of moves that were searched before the budget was used up.
    """
    tops[:] = -INFINITE
    lines = len(tops)
    for place in range(len(order)):
        move, passes = order[place], search.counts[PASSES]
        bound = tops[lines - 1]
        make(move, 0, search)
        if bound == -INFINITE:
            value = -negamax(search, depth - 1, 1, -INFINITE, INFINITE, width)
        else:
            fewer = _later(place // lines, depth, _LATE_AT_ROOT)
            value = -negamax(search, depth - 1 - fewer, 1, -bound - 1, -bound, width)
            if value > bound and fewer:
                value = -negamax(search, depth - 1, 1, -bound - 1, -bound, width)
            if value > bound:
                value = -negamax(search, depth - 1, 1, -INFINITE, -bound, width)
        unmake(move, passes, 0, search)
        if search.budget[0] <= 0:
            return place
        values[place], exact[place] = value, value > bound
        if value > bound:
            at = lines - 1
            while at > 0 and tops[at - 1] < value:
                tops[at] = tops[at - 1]
                at -= 1
            tops[at] = value
    return len(order)
