"""Solving rounds of Jumping Farther & Farther, compiled. The web server never imports it.

A set of squares is a number with bit s set for square s. A position is the set `taken` of the squares with a
number, the last square and the last jump. `board` is a `solved.Board`.

What is known of a position is kept in a table, at one of two places that its hash tells. An entry holds the
position, without its last jump and laid in the way that all of its images share, and two bounds of what it
is worth to the side to move, each with the last jump for which it was found. A position is never worth more
after a longer last jump, but at most one point less than after a shorter one, so that the bounds tell
something for all last jumps.

Searches in several threads may share a table. An entry is one word that says by itself what it is about, so
each is read once, and one that another thread has replaced is missed at worst.
"""

import numpy as np
from numba import njit

_ONE = np.uint64(1)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)
_PAIRS = np.uint64(0x3333333333333333)  # of bits
_CHUNK = np.uint64(12)  # bits of a set that are turned at once
_CHUNK_BITS = np.uint64((1 << 12) - 1)
_LAST_BITS = np.uint64(6)
_BOUNDS_BITS = np.uint64(18)  # 6 for a bound and 3 for its last jump, twice
_ZERO = 20  # in the 6 bits of a bound

_KEPT = 5  # free squares: positions with fewer are not kept
_LOOKED_UP = 14  # free squares: from there on, replies that are kept are tried before any is searched

_UNKNOWN = -1


@njit(cache=True, nogil=True)
def wins(taken, last, jump, wanted, board, table):
    """Return whether the side to move can outscore the other by `wanted` points in the rest of a round.

    Also return how many positions were searched. An alpha-beta search: each position is asked whether it is
    worth so much, and its replies whether they are worth too little for that.
    """
    # A loop over levels, because numba does not reliably cache recursive functions.
    area = len(board.fars)
    everything = (_ONE << np.uint64(area)) - _ONE
    sets, keys = np.zeros(area + 1, np.uint64), np.zeros(area + 1, np.uint64)
    lasts, jumps = np.zeros(area + 1, np.int64), np.zeros(area + 1, np.int64)
    wants, free_squares = np.zeros(area + 1, np.int64), np.zeros(area + 1, np.int64)
    replies, urgency = np.zeros((area + 1, area), np.int64), np.zeros(area, np.int64)
    counts, following = np.zeros(area + 1, np.int64), np.zeros(area + 1, np.int64)
    level, searched = 0, 0
    sets[0], lasts[0], jumps[0], wants[0] = taken, last, jump, wanted
    while True:
        free = everything & ~sets[level]
        free_squares[level] = _size(free)
        following[level] = 0
        searched += 1
        answer = _at_once(free, free_squares[level], lasts[level], wants[level], board)
        if answer == _UNKNOWN and free_squares[level] >= _KEPT:
            keys[level] = _key(sets[level], lasts[level], board)
            answer = _remembered(keys[level], jumps[level], wants[level], table)
        if answer == _UNKNOWN:
            counts[level] = _sort(free, lasts[level], jumps[level], board, replies[level], urgency)
        if answer == _UNKNOWN and free_squares[level] >= _LOOKED_UP:
            tried = replies[level, : counts[level]]
            answer = _of_replies(sets[level], lasts[level], jumps[level], wants[level], board, tried, table)
        while answer != _UNKNOWN or following[level] == counts[level]:
            if answer == _UNKNOWN:  # no reply was good enough
                answer = 0
            if following[level] and free_squares[level] >= _KEPT:
                _remember(keys[level], jumps[level], wants[level], answer, table)
            if level == 0:
                return answer == 1, searched
            level -= 1
            answer = 1 if answer == 0 else _UNKNOWN
        square = replies[level, following[level]]
        following[level] += 1
        far = board.fars[lasts[level], square]
        sets[level + 1] = sets[level] | _ONE << np.uint64(square)
        lasts[level + 1], jumps[level + 1] = square, far
        wants[level + 1] = (far > jumps[level]) - wants[level] + 1
        level += 1


@njit(cache=True, nogil=True)
def _at_once(free, free_squares, last, wanted, board):
    """Return whether a position is worth so much (1 or 0) if that is plain to see, or _UNKNOWN.

    Each number scores one point at most, and both sides write in turn.
    """
    if board.beyond[last, 1] & free == 0:
        return 1 if wanted <= 0 else 0
    if wanted > (free_squares + 1) // 2:
        return 0
    return 1 if wanted <= -(free_squares // 2) else _UNKNOWN


@njit(cache=True, nogil=True)
def _sort(free, last, jump, board, replies, urgency):
    """Write the squares for the next number to `replies`, the most promising first; return how many.

    First those that score, and after which the next number cannot; then those with the fewest replies.
    """
    count = 0
    rest = board.beyond[last, 1] & free
    while rest:
        square = _size((rest & (~rest + _ONE)) - _ONE)
        rest &= rest - _ONE
        far = board.fars[last, square]
        promise = 64 * ((far > jump) - (board.beyond[square, far + 1] & free != 0))
        promise -= _size(board.beyond[square, 1] & free)
        place = count
        while place > 0 and urgency[place - 1] < promise:
            urgency[place], replies[place] = urgency[place - 1], replies[place - 1]
            place -= 1
        urgency[place], replies[place] = promise, square
        count += 1
    return count


@njit(cache=True, nogil=True)
def _of_replies(taken, last, jump, wanted, board, replies, table):
    """Return 1 if the table has a reply that makes a position worth so much, or _UNKNOWN."""
    for square in replies:
        far = board.fars[last, square]
        key = _key(taken | _ONE << np.uint64(square), square, board)
        if _remembered(key, far, (far > jump) - wanted + 1, table) == 0:
            return 1
    return _UNKNOWN


@njit(cache=True, nogil=True)
def _key(taken, last, board):
    """Return the least of the numbers of the eight images of a position."""
    least = ~np.uint64(0)
    for turn in range(8):
        image, rest = np.uint64(0), taken
        for chunk in range(board.turned.shape[1]):
            image |= board.turned[turn, chunk, rest & _CHUNK_BITS]
            rest >>= _CHUNK
        least = min(least, image << _LAST_BITS | np.uint64(board.targets[turn, last]))
    return least


@njit(cache=True, nogil=True)
def _place(key, table):
    """Return the first of the two places of a position in the table, whose length is a power of two."""
    return np.int64((key * _SCATTER) >> np.uint64(32)) & (len(table) - 2)


@njit(cache=True, nogil=True)
def _remembered(key, jump, wanted, table):
    """Return whether a position is worth so much (1 or 0) if the table tells, or _UNKNOWN."""
    first = _place(key, table)
    for place in (first, first + 1):
        entry = table[place]
        if entry >> _BOUNDS_BITS == key:
            least, least_jump, most, most_jump = _bounds(entry)
            if least - (jump > least_jump) >= wanted:
                return 1
            if most + (jump < most_jump) < wanted:
                return 0
    return _UNKNOWN


@njit(cache=True, nogil=True)
def _remember(key, jump, wanted, answer, table):
    """Keep whether a position is worth so much.

    It replaces the one at its first place, which moves to the second, if that has no more free squares.
    """
    first = _place(key, table)
    first_entry = table[first]
    first_key = first_entry >> _BOUNDS_BITS
    least, least_jump, most, most_jump = -_ZERO, 7, _ZERO, 0
    place = first + 1
    if first_key == key:
        place = first
    elif table[place] >> _BOUNDS_BITS != key and (first_entry == 0 or _numbers(first_key) >= _numbers(key)):
        table[place] = first_entry
        place = first
    entry = table[place]
    if entry >> _BOUNDS_BITS == key:
        least, least_jump, most, most_jump = _bounds(entry)
    if answer:
        if wanted > least or (wanted == least and jump > least_jump):
            least, least_jump = wanted, jump
    elif wanted <= most or (wanted == most + 1 and jump < most_jump):
        most, most_jump = wanted - 1, jump
    bounds = ((most + _ZERO) << 3 | most_jump) << 9 | (least + _ZERO) << 3 | least_jump
    table[place] = key << _BOUNDS_BITS | np.uint64(bounds)


@njit(cache=True, nogil=True)
def _bounds(entry):
    """Return the bounds of an entry: what a position is worth at least after a last jump, and at most."""
    bounds = np.int64(entry & ((_ONE << _BOUNDS_BITS) - _ONE))
    return (bounds >> 3 & 63) - _ZERO, bounds & 7, (bounds >> 12) - _ZERO, bounds >> 9 & 7


@njit(cache=True, nogil=True)
def _numbers(key):
    """Return how many squares of a position have a number."""
    return _size(key >> _LAST_BITS)


@njit(cache=True, nogil=True)
def _size(squares):
    """Return the number of squares of a set."""
    squares -= squares >> _ONE & np.uint64(0x5555555555555555)
    squares = (squares & _PAIRS) + (squares >> np.uint64(2) & _PAIRS)
    squares = squares + (squares >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(squares * np.uint64(0x0101010101010101) >> np.uint64(56))
