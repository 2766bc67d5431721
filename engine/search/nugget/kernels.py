"""The inner loops of the solver, compiled: the rules of `engine.golden_nugget.board` on arrays.

Tests compare them with the rules. The web server never imports this module.
"""

import numpy as np
from numba import njit

NOT_FOUND = 255
"""The depth of a board that is not in the endgame database."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(20)
_ONE = np.uint64(1)
_EMPTY = np.uint64(0)


@njit(cache=True)
def put(keys, values, mask, key, value):
    """Add a key to a hash table unless it is there. Return whether it was added."""
    place = (key * _SPREAD >> _SHIFT) & mask
    while keys[place] != _EMPTY:
        if keys[place] == key:
            return False
        place = (place + _ONE) & mask
    keys[place] = key
    values[place] = value
    return True


@njit(cache=True)
def get(keys, values, mask, key):
    """Return the value of a key in a hash table, or NOT_FOUND."""
    place = (key * _SPREAD >> _SHIFT) & mask
    while keys[place] != _EMPTY:
        if keys[place] == key:
            return values[place]
        place = (place + _ONE) & mask
    return np.uint8(NOT_FOUND)


@njit(cache=True)
def canonical(colours, symmetries, hashes):
    """Return a key that is the same for boards equal up to symmetry and permutation of colours."""
    least = np.uint64(0xFFFFFFFFFFFFFFFF)
    names = np.zeros(6, np.uint8)
    for symmetry in range(8):
        names[:] = 0
        known = 0
        key = np.uint64(0)
        for square in range(49):
            colour = colours[symmetries[symmetry, square]]
            if colour:
                if names[colour] == 0:
                    known += 1
                    names[colour] = known
                key ^= hashes[square, names[colour]]
        least = min(least, key)
    return least


@njit(cache=True)
def lifted(colours, line):
    """Return the index (0 to 6) on a line of the block that a push lifts, or -1 if the push is illegal."""
    place = 6
    while place >= 0 and colours[line[place]] != 0:
        place -= 1
    for before in range(place):
        if colours[line[before]] != 0:
            return place
    return -1


@njit(cache=True)
def shift(board, line, place):
    """Put the block at a place of a line on its first square, and each block before it one square on."""
    block = board[line[place]]
    for square in range(place, 0, -1):
        board[line[square]] = board[line[square - 1]]
    board[line[0]] = block


@njit(cache=True)
def push(blocks, colours, line):
    """Push a line of a board in place. Return whether the push is legal."""
    place = lifted(colours, line)
    if place < 0:
        return False
    shift(blocks, line, place)
    shift(colours, line, place)
    return True


@njit(cache=True)
def boards_before(boards, lines, symmetries, hashes, keys, values, mask, depth, added):
    """Add all boards from which one push leads to these boards to the table. Return the number added.

    They are also written to `added`, as far as there is room.
    """
    count = 0
    colours = np.zeros(49, np.uint8)
    for board in boards:
        for line in lines:
            if board[line[0]] != 0:
                continue  # a push leaves the lifted white block there
            for place in range(6, 0, -1):
                # Undo the push that lifted the block from there: there is no white block beyond, and at
                # least one coloured block was moved.
                colours[:] = board
                moved = False
                for square in range(place):
                    colours[line[square]] = board[line[square + 1]]
                    moved = moved or board[line[square + 1]] != 0
                colours[line[place]] = 0
                if not moved:
                    break
                if put(keys, values, mask, canonical(colours, symmetries, hashes), depth):
                    if count < len(added):
                        added[count] = colours
                    count += 1
                if board[line[place]] == 0:
                    break
    return count


@njit(cache=True)
def line_estimates(reach, steps, outer, ends, unit):
    """Return what a line across the strips adds to the estimate, by outer or not and pattern.

    Colour r belongs to strip r.
    """
    table = np.zeros((2, 6**7), np.int16)
    for pattern in range(6**7):
        down = up = way = blocks = at_ends = 0
        rest = pattern
        for place in range(7):
            colour = rest % 6
            rest //= 6
            if colour:
                off = colour - place
                down = max(down, off)
                up = max(up, -off)
                way += abs(off)
                blocks += 1
                at_ends += place in (0, 6)
        value = reach * (down + up) + steps * way + ends * at_ends
        table[0, pattern] = round(unit * value)
        table[1, pattern] = round(unit * (value + outer * blocks))
    return table


@njit(cache=True)
def column_patterns(cells, powers, columns):
    """Write the patterns of the columns of a board to `columns`."""
    for column in range(7):
        pattern = 0
        for row in range(7):
            pattern += cells[7 * row + column] * powers[row]
        columns[column] = pattern


@njit(cache=True)
def estimate(colours, orders, powers, table, layouts):
    """Write the estimates of all 240 layouts of a board to `layouts`, first those with the strips in rows.

    `table` has what `line_estimates` returns.
    """
    layouts[:] = 0
    strips = np.zeros(6, np.int64)  # of the colours; white has none
    for order in range(120):
        strips[1:] = orders[order]
        for line in range(7):
            outer = 1 if line in (0, 6) else 0
            column = row = 0
            for place in range(7):
                column += strips[colours[7 * place + line]] * powers[place]
                row += strips[colours[7 * line + place]] * powers[place]
            layouts[order] += table[outer, column]
            layouts[120 + order] += table[outer, row]


@njit(cache=True)
def depths(colours, symmetries, hashes, keys, values, mask):
    """Return the number of moves that each board is from solved by the database, or NOT_FOUND."""
    result = np.empty(len(colours), np.uint8)
    for board in range(len(colours)):
        result[board] = get(keys, values, mask, canonical(colours[board], symmetries, hashes))
    return result


@njit(cache=True)
def ways_down(blocks, colours, depth, lines, symmetries, hashes, keys, values, mask, most):
    """Return the blocks of up to `most` solved boards `depth` moves away, and the forces to them."""
    on_way_blocks = np.empty((depth + 1, 49), np.uint8)
    on_way_colours = np.empty((depth + 1, 49), np.uint8)
    on_way_blocks[0] = blocks
    on_way_colours[0] = colours
    following = np.zeros(depth + 1, np.int64)  # the force to try next
    end_blocks = np.empty((most, 49), np.uint8)
    end_forces = np.empty((most, depth), np.uint8)
    count = level = 0
    while level >= 0 and count < most:
        if level == depth:
            end_blocks[count] = on_way_blocks[level]
            end_forces[count] = following[:depth] - 1
            count += 1
            level -= 1
            continue
        force = following[level]
        if force == 28:
            level -= 1
            continue
        following[level] += 1
        on_way_blocks[level + 1] = on_way_blocks[level]
        on_way_colours[level + 1] = on_way_colours[level]
        if not push(on_way_blocks[level + 1], on_way_colours[level + 1], lines[force]):
            continue
        key = canonical(on_way_colours[level + 1], symmetries, hashes)
        if get(keys, values, mask, key) == depth - level - 1:
            level += 1
            following[level] = 0
    return end_blocks[:count], end_forces[:count]
