"""The inner loops of the beam, compiled.

A board of the beam has one layout for good: it is turned and its colours are renamed so that row r of the
solved board, 1 to 5, shows colour r. Its estimate is then a sum over its seven columns, of which a push of a
column changes one, and a push of a row those on which a colour changes.
"""

import numpy as np
from numba import njit

from engine.search.nugget.kernels import column_patterns, lifted, push, put


@njit(cache=True)
def expand(
    cells, blocks, columns, estimates, keys, lines, powers, table, hashes, block_hashes, apart_below,
    parents, forces, costs, new_keys, identities, solved,
):  # fmt: skip
    """Write parent, force, estimate and key of each board after one push. Return the number of them.

    Those that are solved are left out: their parents and forces go to `solved`, as far as there is room, and
    their number is returned, too. `table` has the estimates of columns: of those at the sides of the board in
    row 1, of the others in row 0. What makes two boards one is what they show; if their estimates
    are below `apart_below`, also what they hide, since that decides how the next board begins.
    """
    count = ends = 0
    now = np.empty(7, np.int32)
    for parent in range(len(cells)):
        board = cells[parent]
        for column in range(7):
            now[column] = table[1 if column in (0, 6) else 0, columns[parent, column]]
        for force in range(28):
            line = lines[force]
            place = lifted(board, line)
            if place < 0:
                continue
            key = keys[parent]
            cost = np.int32(estimates[parent])
            is_column = abs(line[1] - line[0]) == 7
            column = line[0] % 7
            pattern = columns[parent, column]
            new = np.uint8(0)
            for square in range(place + 1):
                at = line[square]
                old = board[at]
                if old != new:
                    key ^= hashes[at, old] ^ hashes[at, new]
                    step = (np.int64(new) - np.int64(old)) * powers[at // 7]
                    if is_column:
                        pattern += step
                    else:
                        column = at % 7
                        outer = 1 if column in (0, 6) else 0
                        cost += table[outer, columns[parent, column] + step] - now[column]
                new = old
            if is_column:
                cost += table[1 if column in (0, 6) else 0, pattern] - now[column]
            if cost == 0:
                if ends < len(solved):
                    solved[ends, 0] = parent
                    solved[ends, 1] = force
                    ends += 1
                continue
            parents[count] = parent
            forces[count] = force
            costs[count] = cost
            new_keys[count] = key
            if cost < apart_below:
                for square in range(49):
                    key ^= block_hashes[square, blocks[parent, square]]
                for square in range(place + 1):
                    before = blocks[parent, line[square]]
                    after = blocks[parent, line[square - 1 if square else place]]
                    key ^= block_hashes[line[square], before] ^ block_hashes[line[square], after]
            identities[count] = key
            count += 1
    return count, ends


@njit(cache=True)
def choose(costs, identities, count, width, noise, seed, seen, marks, mask):
    """Return the indices of the `width` boards of least cost that are new, with random noise below `noise`.

    Only the boards that are looked at are remembered as seen.
    """
    np.random.seed(seed)
    noisy = np.empty(count, np.int32)
    most = 0
    for child in range(count):
        noisy[child] = costs[child] + np.random.randint(0, noise)
        most = max(most, noisy[child])
    starts = np.zeros(most + 2, np.int64)
    for child in range(count):
        starts[noisy[child] + 1] += 1
    for cost in range(most + 1):
        starts[cost + 1] += starts[cost]
    order = np.empty(count, np.int32)
    for child in range(count):
        order[starts[noisy[child]]] = child
        starts[noisy[child]] += 1
    chosen = np.empty(min(width, count), np.int64)
    taken = 0
    for place in range(count):
        if taken == len(chosen):
            break
        child = order[place]
        if put(seen, marks, mask, identities[child], np.uint8(1)):
            chosen[taken] = child
            taken += 1
    return chosen[:taken]


@njit(cache=True)
def advance(cells, blocks, parents, forces, lines, powers):
    """Return the boards after pushes of their parents: what they show, their blocks, and their columns."""
    count = len(parents)
    new_cells = np.empty((count, 49), np.uint8)
    new_blocks = np.empty((count, 49), np.uint8)
    new_columns = np.empty((count, 7), np.int32)
    for child in range(count):
        new_cells[child] = cells[parents[child]]
        new_blocks[child] = blocks[parents[child]]
        push(new_blocks[child], new_cells[child], lines[forces[child]])
        column_patterns(new_cells[child], powers, new_columns[child])
    return new_cells, new_blocks, new_columns
