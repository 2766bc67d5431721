"""JadeJack compiled: the rules of `engine.jadejack` on arrays, and an alpha-beta search.

Sides are 0 (Black) and 1 (White). A position is two arrays. The first has five planes of small integers over
the squares (in the order of `squares.names`): the side of the `TOP` disk (-1 for an empty square), the
`HEIGHT` of the stack, its `KIND` (see `kind`), and the strength of `BLACK` and of `WHITE`. The second has the
number of `DISKS` on the board, the `PASSES` just made and the `SIDE` to move. `geometry` is that of the board
(see `array_position.geometry_arrays`).

Tests compare all of this with the rules. The web server never imports this module.
"""

import numpy as np
from numba import njit

from engine import jadejack

PASS = -1
_ADD, _SUBTRACT = np.int64(1), np.int64(-1)  # typed: functions would be compiled for each literal
TOP, HEIGHT, KIND, BLACK, WHITE = range(5)
DISKS, PASSES, SIDE = range(3)

WON = 1_000_000
"""The value of a won game, in hundredths of a point. The margin is added to it."""

POINT = 100
"""The value of a point: values are in hundredths of a point."""

KOMI = round(jadejack.KOMI * POINT)
"""The points that White gets for moving second, in hundredths of a point."""

LEADS = 48
"""The maximum strength on a square: leads are from -48 to 48."""

HEIGHTS = 4
"""The heights that an evaluation distinguishes: higher stacks count as stacks of this height."""

_UNKNOWN = -2_000_000_000


@njit(cache=True)
def give(square, side, height, board, geometry, sign):
    """Add (or subtract, if `sign` is -1) the strength that a stack gives along all its lines."""
    for direction in range(8):
        reach = height if direction < 4 else height - 2
        give_along(square, direction, side, reach, board, geometry, sign)


@njit(cache=True)
def give_along(square, direction, side, reach, board, geometry, sign):
    """Add the strength along one line: beyond the adjacent square only if an empty square is between."""
    is_open = False
    for step in range(min(reach, geometry.lengths[square, direction])):
        target = geometry.rays[square, direction, step]
        if step == 0 or is_open:
            board[BLACK + side, target] += sign
        is_open = is_open or board[TOP, target] < 0


@njit(cache=True)
def kind(side, height, is_reinforced):
    """Return the kind of a stack, by side, height and whether it is reinforced. Empty squares have kind 0."""
    return 1 + 2 * (min(height, HEIGHTS) - 1) + is_reinforced + 2 * HEIGHTS * side


@njit(cache=True)
def put(square, board, counts, geometry):
    """Place a disk for the side to move, legal or not."""
    side = counts[SIDE]
    top, height = np.int64(board[TOP, square]), np.int64(board[HEIGHT, square])
    if top >= 0:
        give(square, top, height, board, geometry, _SUBTRACT)
    else:
        # Strength that passes the empty square is recomputed for each line that may change.
        for direction in range(8):
            for step in range(geometry.lengths[square, direction]):
                other = np.int64(geometry.rays[square, direction, step])
                owner, reach = np.int64(board[TOP, other]), np.int64(board[HEIGHT, other])
                if owner >= 0:
                    reach -= 0 if direction < 4 else 2
                    if reach > step + 1:
                        give_along(other, direction ^ 1, owner, reach, board, geometry, _SUBTRACT)
                        board[TOP, square] = side
                        give_along(other, direction ^ 1, owner, reach, board, geometry, _ADD)
                        board[TOP, square] = -1
    board[HEIGHT, square] = height + 1
    board[KIND, square] = kind(side, height + 1, top == side)
    board[TOP, square] = side
    give(square, side, height + 1, board, geometry, _ADD)
    counts[DISKS] += 1
    counts[PASSES] = 0
    counts[SIDE] = 1 - side


@njit(cache=True)
def is_legal(square, board, counts, geometry):
    """Return whether the side to move may place a disk on a square."""
    side = counts[SIDE]
    if board[TOP, square] == side:
        return board[KIND, square] & 1 == 1
    lead = board[BLACK + side, square] - board[WHITE - side, square]
    if board[TOP, square] < 0:
        return lead >= 0 and (counts[DISKS] > 0 or not geometry.centre[square])
    return lead >= board[HEIGHT, square]


@njit(cache=True)
def territory(board):
    """Return the points by which Black leads, without the komi."""
    lead = 0
    for square in range(board.shape[1]):
        if board[TOP, square] < 0:
            lead += np.sign(board[BLACK, square] - board[WHITE, square])
    return lead


@njit(cache=True)
def evaluate(board, side, table):
    """Return the estimated value of a position for a side: the sum of the values of its squares.

    `table` has, in one row, the value for Black of each kind and each lead from -LEADS to LEADS.
    """
    value = np.int64(-KOMI)
    for square in range(board.shape[1]):
        lead = np.int64(board[BLACK, square]) - np.int64(board[WHITE, square])
        value += table[np.uint64(np.int64(board[KIND, square]) * (2 * LEADS + 1) + LEADS + lead)]
    return value if side == 0 else -value


@njit(cache=True)
def final(board, side):
    """Return the value of a finished game for a side."""
    value = POINT * territory(board) - KOMI
    value += WON if value > 0 else -WON
    return value if side == 0 else -value


@njit(cache=True)
def descend(level, boards, counts):
    """Copy the position of a level to the next level."""
    for plane in range(boards.shape[1]):
        for square in range(boards.shape[2]):
            boards[level + 1, plane, square] = boards[level, plane, square]
    for item in range(counts.shape[1]):
        counts[level + 1, item] = counts[level, item]


@njit(cache=True)
def make(move, level, boards, counts, geometry):
    """Set the position of the next level to the one after a move (a square, or PASS) at a level."""
    descend(level, boards, counts)
    if move == PASS:
        counts[level + 1, PASSES] += 1
        counts[level + 1, SIDE] = 1 - counts[level, SIDE]
    else:
        put(move, boards[level + 1], counts[level + 1], geometry)


@njit(cache=True)
def negamax(depth, alpha, beta, boards, counts, geometry, table, width, budget):
    """Return the value of the position at level 1 for the side to move, `depth` plies ahead.

    Only the `width` placements with the best evaluations are searched, and the pass. The arrays have a
    position for each level. `budget` counts down the positions evaluated; at 0 the search stops and its
    result is void.
    """
    # A loop over levels, because numba does not reliably cache recursive functions.
    alphas = np.empty(depth + 2, np.int64)
    betas = np.empty(depth + 2, np.int64)
    bests = np.empty(depth + 2, np.int64)
    following = np.empty(depth + 2, np.int64)  # -1: the pass, then the indices of `moves`
    moves = np.empty((depth + 2, width), np.int64)
    ends = np.empty(depth + 2, np.int64)
    level = np.int64(1)  # a function is compiled once more for a literal that it is called with
    alphas[level], betas[level] = alpha, beta
    is_new = True
    while True:
        left = depth + 1 - level
        is_done = False
        value = np.int64(_UNKNOWN)
        if is_new:
            if counts[level, PASSES] == 2:
                value, is_done = final(boards[level], counts[level, SIDE]), True
            elif left == 0 or budget[0] <= 0:
                value, is_done = evaluate(boards[level], counts[level, SIDE], table), True
            else:
                # The pass may be best near the end of a game, and is cheap to search if it ends the game.
                following[level] = -1 if counts[level, PASSES] == 1 or left > 1 else 0
                bests[level], ends[level] = _UNKNOWN, width
        if not is_done:
            if following[level] == 0 and left == 1:
                # The last ply: the evaluations right after it.
                value = max(bests[level], best_next(level, boards, counts, geometry, table, budget))
                is_done = True
            else:
                if following[level] == 0:
                    ranking, _ = ranked(level, boards, counts, geometry, table, budget)
                    ends[level] = min(width, len(ranking))
                    for place in range(ends[level]):
                        moves[level, place] = ranking[place]
                value, is_done = bests[level], following[level] >= ends[level]
        if is_done:
            # Return the value to the previous level, and further up while it causes cutoffs.
            while True:
                level -= 1
                if level == 0:
                    return value
                bests[level] = max(bests[level], -value)
                alphas[level] = max(alphas[level], -value)
                value = bests[level]
                if alphas[level] < betas[level]:
                    break
            is_new = False
        else:
            move = moves[level, following[level]] if following[level] >= 0 else PASS
            following[level] += 1
            make(move, level, boards, counts, geometry)
            alphas[level + 1], betas[level + 1] = -betas[level], -alphas[level]
            level += 1
            is_new = True


@njit(cache=True)
def best_next(level, boards, counts, geometry, table, budget):
    """Return the best evaluation after a placement.

    Without one, return that of the position if a pass goes on, and the worst value if it ends the game.
    """
    side = counts[level, SIDE]
    best = np.int64(_UNKNOWN)
    for square in range(boards.shape[2]):
        if is_legal(square, boards[level], counts[level], geometry):
            make(square, level, boards, counts, geometry)
            best = max(best, evaluate(boards[level + 1], side, table))
            budget[0] -= 1
    if best == _UNKNOWN and counts[level, PASSES] == 0:
        return evaluate(boards[level], side, table)
    return best


@njit(cache=True)
def ranked(level, boards, counts, geometry, table, budget):
    """Return the placements at a level and the evaluations right after them, the best first."""
    side = counts[level, SIDE]
    moves = np.empty(boards.shape[2], np.int64)
    values = np.empty(boards.shape[2], np.int64)
    count = 0
    for square in range(boards.shape[2]):
        if is_legal(square, boards[level], counts[level], geometry):
            make(square, level, boards, counts, geometry)
            moves[count] = square
            values[count] = evaluate(boards[level + 1], side, table)
            count += 1
    budget[0] -= count
    order = np.argsort(-values[:count])
    return moves[order], values[order]
