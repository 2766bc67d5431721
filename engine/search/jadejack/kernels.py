"""JadeJack compiled: the rules of `engine.jadejack` on arrays, and an alpha-beta search over them.

Sides are 0 (Black) and 1 (White). A position is six arrays over the squares (as in `squares.names`): `tops`
(the side that holds a stack, -1 for none), `heights`, `runs` (how many of the uppermost disks are of the
holder), and `strengths` of both sides; and `counts`: disks on the board, passes just made, side to move.
Tests hold all of this against the rules. Nothing here is imported by the web server.
"""

import numpy as np
from numba import njit

PASS = -1
DISKS, PASSES, SIDE = 0, 1, 2

WON = 1_000_000
"""The worth of a game that is won, in the unit of evaluations; a margin is added."""

POINT = 100
"""The worth of a point of territory."""

KOMI = 150
"""What White gets for moving second, in the unit of evaluations."""

_LEAD = 12  # worth of each unit by which one leads on an empty square, up to three
_UNKNOWN = -2_000_000_000


@njit(cache=True)
def give(square, side, height, tops, strengths, rays, lengths, sign):
    """Add (or take, for a sign of -1) the strength that a stack gives along all of its lines."""
    for direction in range(8):
        reach = height if direction < 4 else height - 2
        give_along(square, direction, side, reach, tops, strengths, rays, lengths, sign)


@njit(cache=True)
def give_along(square, direction, side, reach, tops, strengths, rays, lengths, sign):
    """Do so along one line: beyond the next square only if an empty one lies between."""
    is_open = False
    for step in range(min(reach, lengths[square, direction])):
        target = rays[square, direction, step]
        if step == 0 or is_open:
            strengths[side, target] += sign
        is_open = is_open or tops[target] < 0


@njit(cache=True)
def place(square, tops, heights, runs, strengths, counts, rays, lengths):
    """Place a disk for the side to move, legal or not."""
    side = counts[SIDE]
    if tops[square] >= 0:
        give(square, tops[square], heights[square], tops, strengths, rays, lengths, -1)
        runs[square] = runs[square] + 1 if tops[square] == side else 1
        tops[square] = side
    else:
        # Whatever shines across the square is worked out anew once it is taken.
        for sign in (-1, 1):
            for direction in range(8):
                back = direction ^ 1
                for step in range(lengths[square, direction]):
                    other = rays[square, direction, step]
                    if tops[other] >= 0:
                        reach = heights[other] if direction < 4 else heights[other] - 2
                        if reach > step + 1:
                            give_along(other, back, tops[other], reach, tops, strengths, rays, lengths, sign)
            tops[square] = side
        runs[square] = 1
    heights[square] += 1
    give(square, side, heights[square], tops, strengths, rays, lengths, 1)
    counts[DISKS] += 1
    counts[PASSES] = 0
    counts[SIDE] = 1 - side


@njit(cache=True)
def is_legal(square, tops, heights, runs, strengths, counts, centre):
    """Tell whether the side to move may place a disk on a square."""
    side = counts[SIDE]
    if tops[square] == side:
        return runs[square] == 1
    lead = strengths[side, square] - strengths[1 - side, square]
    if tops[square] < 0:
        return lead >= 0 and (counts[DISKS] > 0 or not centre[square])
    return lead >= heights[square]


@njit(cache=True)
def territory(tops, strengths):
    """Give by how many points Black leads, without the komi."""
    lead = 0
    for square in range(len(tops)):
        if tops[square] < 0:
            lead += np.sign(strengths[0, square] - strengths[1, square])
    return lead


@njit(cache=True)
def evaluate(tops, strengths, side):
    """Give what a position promises a side: its points as they stand, and by how much they are led."""
    value = -KOMI
    for square in range(len(tops)):
        if tops[square] < 0:
            lead = np.int64(strengths[0, square]) - np.int64(strengths[1, square])
            value += POINT * np.sign(lead) + _LEAD * max(-3, min(3, lead))
    return value if side == 0 else -value


@njit(cache=True)
def final(tops, strengths, side):
    """Give what a finished game is worth to a side."""
    value = POINT * territory(tops, strengths) - KOMI
    value += WON if value > 0 else -WON
    return value if side == 0 else -value


@njit(cache=True)
def negamax(
    level, depth, alpha, beta, tops, heights, runs, strengths, counts, rays, lengths, centre, width, budget
):
    """Give the worth of the position at a level to the side to move, looking `depth` plies ahead.

    Of the placements only the `width` best by their evaluation are looked at, and the pass. The arrays have a
    position for each level; `budget` counts down the positions to be evaluated, and at 0 the search is void.
    """
    side = counts[level, SIDE]
    if counts[level, PASSES] == 2:
        return final(tops[level], strengths[level], side)
    if depth == 0 or budget[0] <= 0:
        return evaluate(tops[level], strengths[level], side)
    below = level + 1
    best = np.int64(_UNKNOWN)
    # To pass: at the end of a game it may be best, and it is quick to look at when it ends the game.
    if counts[level, PASSES] == 1 or depth > 1:
        copy(level, tops, heights, runs, strengths, counts)
        counts[below, PASSES] += 1
        counts[below, SIDE] = 1 - side
        best = -negamax(
            below, depth - 1, -beta, -alpha, tops, heights, runs, strengths, counts, rays, lengths, centre,
            width, budget,
        )  # fmt: skip
        alpha = max(alpha, best)
        if alpha >= beta:
            return best
    moves, values = ranked(level, tops, heights, runs, strengths, counts, rays, lengths, centre, budget)
    if depth == 1:
        return (
            max(best, values[0]) if len(moves) else max(best, evaluate(tops[level], strengths[level], side))
        )
    for move in moves[:width]:
        copy(level, tops, heights, runs, strengths, counts)
        place(move, tops[below], heights[below], runs[below], strengths[below], counts[below], rays, lengths)
        value = -negamax(
            below, depth - 1, -beta, -alpha, tops, heights, runs, strengths, counts, rays, lengths, centre,
            width, budget,
        )  # fmt: skip
        best = max(best, value)
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best


@njit(cache=True)
def ranked(level, tops, heights, runs, strengths, counts, rays, lengths, centre, budget):
    """Give the placements at a level, the best first by what the board promises right after, and that."""
    side = counts[level, SIDE]
    below = level + 1
    moves = np.empty(tops.shape[1], np.int64)
    values = np.empty(tops.shape[1], np.int64)
    count = 0
    for square in range(tops.shape[1]):
        if is_legal(
            square, tops[level], heights[level], runs[level], strengths[level], counts[level], centre
        ):
            copy(level, tops, heights, runs, strengths, counts)
            place(
                square,
                tops[below],
                heights[below],
                runs[below],
                strengths[below],
                counts[below],
                rays,
                lengths,
            )
            moves[count] = square
            values[count] = evaluate(tops[below], strengths[below], side)
            count += 1
    budget[0] -= count
    order = np.argsort(-values[:count])
    return moves[order], values[order]


@njit(cache=True)
def copy(level, tops, heights, runs, strengths, counts):
    """Copy the position at a level to the one below."""
    tops[level + 1] = tops[level]
    heights[level + 1] = heights[level]
    runs[level + 1] = runs[level]
    strengths[level + 1] = strengths[level]
    counts[level + 1] = counts[level]
