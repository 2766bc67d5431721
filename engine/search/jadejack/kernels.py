"""JadeJack compiled: the rules of `engine.jadejack` on arrays, and an evaluation that follows each move.

Sides are 0 (Black) and 1 (White). The board has four planes of small integers over the squares (in the order
of `squares.names`): the side of the `TOP` disk (-1 for an empty square), the `HEIGHT` of the stack, its
`KIND` (see `kind`), and the `LEAD` in strength of Black over White. The counts are the number of `DISKS` on
the board, the `PASSES` just made, the `SIDE` to move, the `VALUE` of the position for Black, which is the sum
of the values of its squares less the komi, and this `KOMI`.

A `Search` (see `memory`) is a position with all the memory that a search needs, so that nothing is allocated
here. Tests compare all of this with the rules. The web server never imports this module.
"""

import numpy as np
from numba import njit

PASS = -1
TOP, HEIGHT, KIND, LEAD = range(4)
DISKS, PASSES, SIDE, VALUE, KOMI = range(5)

WON = 1_000_000
"""The value of a won game, in hundredths of a point. The margin is added to it."""

POINT = 100
"""The value of a point: values are in hundredths of a point."""

HEIGHTS = 4
"""The heights that an evaluation distinguishes: higher stacks count as stacks of this height."""

KINDS = 1 + 4 * HEIGHTS
LEADS = 6
"""The lead in strength from which on a greater lead makes no difference to the value of a square."""

COLUMNS = 2 * LEADS + 1
"""The leads that a table distinguishes."""

ENTRIES = KINDS * COLUMNS
"""The number of values in a table: one for each kind and lead."""

_TALL = 31  # higher stacks have the same hash: nobody ever hijacks them
UNITS = 16
"""The units of a network: fixed, so that the compiler can compute with all at once."""

HASHED = 4 * (_TALL + 1)
"""The hashes of a square, by the height, side and kind of its stack."""

# Without counts of references, since nothing is allocated: the search is twice as fast. Other threads go on
# meanwhile, those of a worker that tell others that it is alive.
compiled = njit(cache=True, _nrt=False, nogil=True)
_inlined = njit(cache=True, _nrt=False, inline="always")


@_inlined
def kind(side, height, is_reinforced):
    """Return the kind of a stack, by side, height and whether it is reinforced. Empty squares have kind 0."""
    return 1 + 2 * (min(height, HEIGHTS) - 1) + is_reinforced + 2 * HEIGHTS * side


@_inlined
def entry(kind_, lead):
    """Return where the table has the value for Black of a square, by its kind and lead."""
    lead = min(max(np.int64(lead), -LEADS), LEADS)
    return np.uint64(np.int64(kind_) * COLUMNS + LEADS + lead)


@_inlined
def _hash(square, top, height, kind_, search):
    return search.hashes[square, (min(height, _TALL) * 2 + top) * 2 + (kind_ & 1)]


@compiled
def changes(square, side, ply, board, geometry, targets, changed):
    """Find the squares whose lead changes if a side places a disk, legal or not, and by how much.

    Write them to row `ply` of `targets` and `changed`, and return their number.
    """
    sign = np.int8(1 - 2 * side)
    count = 0
    top, height = board[TOP, square], board[HEIGHT, square]
    if top >= 0:
        # The stack grows, and has a new owner if it is hijacked.
        before = np.int8(1 - 2 * top)
        for direction in range(8):
            reach = height if direction < 4 else height - 2
            is_open = True  # to the adjacent square always, then beyond the first empty one
            for step in range(min(reach + 1, geometry.lengths[square, direction])):
                target = geometry.rays[square, direction, step]
                if is_open:
                    change = sign if step >= reach else sign - before
                    if change != 0:
                        targets[ply, count] = target
                        changed[ply, count] = change
                        count += 1
                is_open = (is_open and step > 0) or board[TOP, target] < 0
        return count
    for direction in range(8):
        # The new disk gives strength to the adjacent square, and takes away what passed over its own: that of
        # the stacks behind it, up to the first empty square, to those before it, up to the first empty one.
        opposite = direction ^ 1
        behind = 0
        while (
            behind < geometry.lengths[square, opposite]
            and board[TOP, geometry.rays[square, opposite, behind]] >= 0
        ):
            behind += 1
        for step in range(geometry.lengths[square, direction]):
            target = geometry.rays[square, direction, step]
            change = sign if step == 0 and direction < 4 else np.int8(0)
            for back in range(behind):
                other = geometry.rays[square, opposite, back]
                reach = board[HEIGHT, other] if direction < 4 else board[HEIGHT, other] - 2
                if reach >= back + step + 2:
                    change -= 1 - 2 * board[TOP, other]
            if change != 0:
                targets[ply, count] = target
                changed[ply, count] = change
                count += 1
            if behind == 0 or board[TOP, target] < 0:
                break
    return count


@compiled
def worth(square, side, ply, count, board, table, targets, changed):
    """Return by how much the value for Black changes with a disk of a side and so many `changes`."""
    value = np.int64(0)
    for place in range(count):
        target = targets[ply, place]
        before, lead = board[KIND, target], np.int64(board[LEAD, target])
        value += table[entry(before, lead + changed[ply, place])] - table[entry(before, lead)]
    lead = board[LEAD, square]
    after = kind(side, board[HEIGHT, square] + 1, board[TOP, square] == side)
    return value + table[entry(after, lead)] - table[entry(board[KIND, square], lead)]


@compiled
def is_legal(square, side, board, is_first, centre):
    """Return whether a side may place a disk on a square; `is_first` if the board is empty."""
    top = board[TOP, square]
    if top == side:
        return board[KIND, square] & 1 == 1
    lead = board[LEAD, square] if side == 0 else -board[LEAD, square]
    if top < 0:
        return lead >= 0 and not (is_first and centre[square])
    return lead >= board[HEIGHT, square]


@compiled
def place(square, ply, search):
    """Place a disk for the side to move, legal or not, and remember at `ply` how to take it back."""
    board, counts, undo = search.board, search.counts, search.undo
    geometry, table, targets, changed = search.geometry, search.table, search.targets, search.changed
    side = counts[SIDE]
    top, height, before = board[TOP, square], board[HEIGHT, square], board[KIND, square]
    undo[ply, 0], undo[ply, 1] = counts[PASSES], counts[VALUE]
    undo[ply, 2], undo[ply, 3], undo[ply, 4] = top, before, np.int64(search.key[0])
    undo[ply, 5] = count = changes(square, side, ply, board, geometry, targets, changed)
    counts[VALUE] += worth(square, side, ply, count, board, table, targets, changed)
    for at in range(count):
        board[LEAD, targets[ply, at]] += changed[ply, at]
    if top >= 0:
        search.key[0] ^= _hash(square, top, height, before, search)
    after = kind(side, height + 1, top == side)
    search.key[0] ^= _hash(square, side, height + 1, after, search)
    board[TOP, square], board[HEIGHT, square], board[KIND, square] = side, height + 1, after
    counts[DISKS] += 1
    counts[PASSES], counts[SIDE] = 0, 1 - side


@compiled
def take_back(square, ply, search):
    """Take back the disk that was placed on a square at `ply`."""
    board, counts, undo = search.board, search.counts, search.undo
    for at in range(undo[ply, 5]):
        board[LEAD, search.targets[ply, at]] -= search.changed[ply, at]
    counts[PASSES], counts[VALUE] = undo[ply, 0], undo[ply, 1]
    board[TOP, square], board[KIND, square] = undo[ply, 2], undo[ply, 3]
    search.key[0] = np.uint64(undo[ply, 4])
    board[HEIGHT, square] -= 1
    counts[DISKS] -= 1
    counts[SIDE] = 1 - counts[SIDE]


@compiled
def make(move, ply, search):
    """Play a move, a square or PASS."""
    if move == PASS:
        search.counts[PASSES] += 1
        search.counts[SIDE] = 1 - search.counts[SIDE]
    else:
        place(move, ply, search)


@compiled
def unmake(move, passes, ply, search):
    """Take back a move, before which there were so many passes."""
    if move == PASS:
        search.counts[PASSES] = passes
        search.counts[SIDE] = 1 - search.counts[SIDE]
    else:
        take_back(move, ply, search)


@compiled
def territory(board):
    """Return the points by which Black leads, without the komi."""
    lead = 0
    for square in range(board.shape[1]):
        if board[TOP, square] < 0:
            lead += np.sign(board[LEAD, square])
    return lead


@compiled
def final(board, counts):
    """Return the value of a game that ends here for the side to move."""
    value = POINT * territory(board) - counts[KOMI]
    value += WON if value > 0 else -WON
    return value if counts[SIDE] == 0 else -value


@njit(cache=True, _nrt=False, fastmath=True)
def judged(search):
    """Return what the network adds to the value of a position for the side to move, with its best gain."""
    judge, near, board, side = search.judge, search.near, search.board, search.counts[SIDE]
    if len(judge.bias) == 0:
        return np.int64(0)
    size = np.int64(np.sqrt(board.shape[1]))
    wide = size + 2
    at = wide + 1
    value = judge.move[0]
    square = 0
    for _row in range(size):
        for _column in range(size):
            token = entry(board[KIND, square], board[LEAD, square])
            near[at] = token
            value += judge.squares[side, token]
            at += 1
            square += 1
        at += 2
    own, beside, diagonal = judge.patterns[side, 0], judge.patterns[side, 1], judge.patterns[side, 2]
    at = wide + 1
    for _row in range(size):
        for _column in range(size):
            a, b, c, d, e = near[at], near[at - 1], near[at + 1], near[at - wide], near[at + wide]
            f, g, h, i = near[at - wide - 1], near[at - wide + 1], near[at + wide - 1], near[at + wide + 1]
            for unit in range(UNITS):
                sum_ = (
                    judge.bias[unit]
                    + own[a, unit]
                    + (beside[b, unit] + beside[c, unit])
                    + (beside[d, unit] + beside[e, unit])
                    + (diagonal[f, unit] + diagonal[g, unit])
                    + (diagonal[h, unit] + diagonal[i, unit])
                )
                value += max(sum_, np.float32(0)) * judge.weights[unit]
            at += 1
        at += 2
    return np.int64(value)


@compiled
def rank(ply, most, search):
    """Write the placements with the greatest gains for the side to move, the best first, and their gains.

    They are in row `ply` of `search.moves` and `search.gains`, at most `most`. Return their number.
    """
    board, counts, geometry = search.board, search.counts, search.geometry
    table, targets, changed = search.table, search.targets, search.changed
    moves, gains, centre = search.moves, search.gains, search.geometry.centre
    side, is_first = counts[SIDE], counts[DISKS] == 0
    count = seen = 0
    for square in range(board.shape[1]):
        if not is_legal(square, side, board, is_first, centre):
            continue
        seen += 1
        changing = changes(square, side, ply, board, geometry, targets, changed)
        value = (1 - 2 * side) * worth(square, side, ply, changing, board, table, targets, changed)
        if count < most:
            at = count
            count += 1
        elif value > gains[ply, most - 1]:
            at = most - 1
        else:
            continue
        while at > 0 and gains[ply, at - 1] < value:
            gains[ply, at], moves[ply, at] = gains[ply, at - 1], moves[ply, at - 1]
            at -= 1
        gains[ply, at], moves[ply, at] = value, square
    search.budget[0] -= seen
    return count
