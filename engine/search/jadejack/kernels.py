"""JadeJack compiled: the rules of `engine.jadejack` on arrays, and an alpha-beta search over them.

Sides are 0 (Black) and 1 (White). A position is two arrays. The first has a plane of small integers over the
squares (as in `squares.names`) for each of: the `TOP` disk's side (-1 for an empty square), the `HEIGHT` of
the stack, its `KIND` (see `kind`), and the strength of `BLACK` and of `WHITE`. The second has the `DISKS` on
the board, the `PASSES` just made and the `SIDE` to move. `place` is the geometry of the board (see
`board.geometry`). Tests hold all of this against the rules. The web server never imports it.
"""

import numpy as np
from numba import njit

PASS = -1
TOP, HEIGHT, KIND, BLACK, WHITE = range(5)
DISKS, PASSES, SIDE = range(3)

WON = 1_000_000
"""The worth of a game that is won, in hundredths of a point; the margin is added."""

POINT = 100
"""The worth of a point of territory."""

KOMI = 150
"""What White gets for moving second, in hundredths of a point."""

LEADS = 48
"""No side has more strength on a square, so leads go from -48 to 48."""

HEIGHTS = 4
"""Up to how many disks of height an evaluation tells stacks apart."""

KINDS = 1 + 2 * 2 * HEIGHTS
"""How many kinds of square an evaluation tells apart: see `kind`."""

_UNKNOWN = -2_000_000_000


@njit(cache=True)
def give(square, side, height, board, place, sign):
    """Add (or take, for a sign of -1) the strength that a stack gives along all of its lines."""
    for direction in range(8):
        reach = height if direction < 4 else height - 2
        give_along(square, direction, side, reach, board, place, sign)


@njit(cache=True)
def give_along(square, direction, side, reach, board, place, sign):
    """Do so along one line: beyond the next square only if an empty one lies between."""
    is_open = False
    for step in range(min(reach, place.lengths[square, direction])):
        target = place.rays[square, direction, step]
        if step == 0 or is_open:
            board[BLACK + side, target] += sign
        is_open = is_open or board[TOP, target] < 0


@njit(cache=True)
def kind(side, height, is_reinforced):
    """Give the kind of a stack: by height, reinforced or not, Black's before White's. Empty squares are 0."""
    return 1 + 2 * (min(height, HEIGHTS) - 1) + is_reinforced + 2 * HEIGHTS * side


@njit(cache=True)
def put(square, board, counts, place):
    """Place a disk for the side to move, legal or not."""
    side = counts[SIDE]
    if board[TOP, square] >= 0:
        give(square, board[TOP, square], board[HEIGHT, square], board, place, -1)
    else:
        # What shines across the square is worked out anew for each line that could change.
        for direction in range(8):
            for step in range(place.lengths[square, direction]):
                other = place.rays[square, direction, step]
                holder = board[TOP, other]
                if holder >= 0:
                    reach = board[HEIGHT, other] if direction < 4 else board[HEIGHT, other] - 2
                    if reach > step + 1:
                        give_along(other, direction ^ 1, holder, reach, board, place, -1)
                        board[TOP, square] = side
                        give_along(other, direction ^ 1, holder, reach, board, place, 1)
                        board[TOP, square] = -1
    board[HEIGHT, square] += 1
    board[KIND, square] = kind(side, board[HEIGHT, square], board[TOP, square] == side)
    board[TOP, square] = side
    give(square, side, board[HEIGHT, square], board, place, 1)
    counts[DISKS] += 1
    counts[PASSES] = 0
    counts[SIDE] = 1 - side


@njit(cache=True)
def is_legal(square, board, counts, place):
    """Tell whether the side to move may place a disk on a square."""
    side = counts[SIDE]
    if board[TOP, square] == side:
        return board[KIND, square] & 1 == 1
    lead = board[BLACK + side, square] - board[WHITE - side, square]
    if board[TOP, square] < 0:
        return lead >= 0 and (counts[DISKS] > 0 or not place.centre[square])
    return lead >= board[HEIGHT, square]


@njit(cache=True)
def territory(board):
    """Give by how many points Black leads, without the komi."""
    lead = 0
    for square in range(board.shape[1]):
        if board[TOP, square] < 0:
            lead += np.sign(board[BLACK, square] - board[WHITE, square])
    return lead


@njit(cache=True)
def evaluate(board, side, table):
    """Give what a position promises a side: the sum of what its squares promise by their kinds and leads.

    `table` has for each kind the worth to Black of each of its leads from -LEADS to LEADS, in one row.
    """
    value = np.int64(-KOMI)
    for square in range(board.shape[1]):
        lead = np.int64(board[BLACK, square]) - np.int64(board[WHITE, square])
        value += table[np.uint64(np.int64(board[KIND, square]) * (2 * LEADS + 1) + LEADS + lead)]
    return value if side == 0 else -value


@njit(cache=True)
def final(board, side):
    """Give what a finished game is worth to a side."""
    value = POINT * territory(board) - KOMI
    value += WON if value > 0 else -WON
    return value if side == 0 else -value


@njit(cache=True)
def descend(level, boards, counts):
    """Copy the position at a level to the one below."""
    for plane in range(boards.shape[1]):
        for square in range(boards.shape[2]):
            boards[level + 1, plane, square] = boards[level, plane, square]
    for item in range(counts.shape[1]):
        counts[level + 1, item] = counts[level, item]


@njit(cache=True)
def make(move, level, boards, counts, place):
    """Put the position after a move (a square, or PASS) at a level on the level below."""
    descend(level, boards, counts)
    if move == PASS:
        counts[level + 1, PASSES] += 1
        counts[level + 1, SIDE] = 1 - counts[level, SIDE]
    else:
        put(move, boards[level + 1], counts[level + 1], place)


@njit(cache=True)
def negamax(depth, alpha, beta, boards, counts, place, table, width, budget):
    """Give the worth of the position at level 1 to the side to move, looking `depth` plies ahead.

    Of the placements only the `width` best by their evaluation are looked at, and the pass. The arrays have a
    position for each level; `budget` counts down the positions to be evaluated, and at 0 the search is void.
    """
    # A loop over levels: functions that call themselves cannot be cached reliably.
    alphas = np.empty(depth + 2, np.int64)
    betas = np.empty(depth + 2, np.int64)
    bests = np.empty(depth + 2, np.int64)
    following = np.empty(depth + 2, np.int64)  # -1: the pass, then the places in `moves`
    moves = np.empty((depth + 2, width), np.int64)
    ends = np.empty(depth + 2, np.int64)
    level = 1
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
                # To pass: at the end of a game it may be best, and it is quick to look at when it ends it.
                following[level] = -1 if counts[level, PASSES] == 1 or left > 1 else 0
                bests[level], ends[level] = _UNKNOWN, width
        if not is_done:
            if following[level] == 0 and left == 1:
                # The last ply: what is promised right after it.
                value = max(bests[level], best_next(level, boards, counts, place, table, budget))
                is_done = True
            else:
                if following[level] == 0:
                    ranking, _ = ranked(level, boards, counts, place, table, budget)
                    ends[level] = min(width, len(ranking))
                    moves[level, : ends[level]] = ranking[: ends[level]]
                value, is_done = bests[level], following[level] >= ends[level]
        if is_done:
            # Hand the value to the level above, and its parents', as far as they are done by it.
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
            make(move, level, boards, counts, place)
            alphas[level + 1], betas[level + 1] = -betas[level], -alphas[level]
            level += 1
            is_new = True


@njit(cache=True)
def best_next(level, boards, counts, place, table, budget):
    """Give the best that a placement promises right after it, or what the board promises if there is none."""
    side = counts[level, SIDE]
    best = np.int64(_UNKNOWN)
    for square in range(boards.shape[2]):
        if is_legal(square, boards[level], counts[level], place):
            make(square, level, boards, counts, place)
            best = max(best, evaluate(boards[level + 1], side, table))
            budget[0] -= 1
    return evaluate(boards[level], side, table) if best == _UNKNOWN else best


@njit(cache=True)
def ranked(level, boards, counts, place, table, budget):
    """Give the placements at a level, the best first by what the board promises right after, and that."""
    side = counts[level, SIDE]
    moves = np.empty(boards.shape[2], np.int64)
    values = np.empty(boards.shape[2], np.int64)
    count = 0
    for square in range(boards.shape[2]):
        if is_legal(square, boards[level], counts[level], place):
            make(square, level, boards, counts, place)
            moves[count] = square
            values[count] = evaluate(boards[level + 1], side, table)
            count += 1
    budget[0] -= count
    order = np.argsort(-values[:count])
    return moves[order], values[order]
