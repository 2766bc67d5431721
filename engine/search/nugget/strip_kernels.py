"""The inner loops of the beam, compiled.

A board of the beam has one layout for good: it is turned and its colours are renamed so that row r of the
solved board, 1 to 5, shows colour r. Its estimate is then a sum over its seven columns, of which a push of a
column changes one, and a push of a row those on which a colour changes. Keys of boards are linear functions
of what they consist of, so a push changes them likewise.
"""

import numpy as np
from numba import njit

from engine.search.nugget.kernels import column_patterns, lifted, push, put

_COSTS = 1 << 12


def _places():
    """Return the place of the block that a push lifts, or -1, by which places of the line are white."""
    places = np.full((2, 128), -1, np.int64)
    for white in range(1, 128):
        last = white.bit_length() - 1
        if white != (1 << last + 1) - 1:
            places[0, white] = last
        first = (white & -white).bit_length() - 1
        if white >> first != (1 << 7 - first) - 1:
            places[1, white] = first
    return places


_PLACES = _places()
_OUTER = np.array([1, 0, 0, 0, 0, 0, 1])


@njit(cache=True)
def expand(
    cells, blocks, columns, estimates, lines, powers, table, factors, kinds, kind_factors, apart_below, most,
    parents, forces, costs, identities, solved,
):  # fmt: skip
    """Write parent, force, estimate and identity of boards after one push. Return the number of them.

    Those that are solved are left out: their parents and forces go to `solved`, as far as there is room, and
    their number is returned, too. So are those that are not among the `most` best ones. `table` has the
    estimates of the columns. What makes two boards one is what they show; if their estimates are below
    `apart_below`, also what they hide, since that decides how the next board begins.
    """
    count = ends = below = 0
    now = np.empty(7, np.int32)
    white_in_rows = np.empty(7, np.int64)
    white_in_columns = np.empty(7, np.int64)
    child_costs = np.empty(28, np.int32)
    child_keys = np.empty(28, np.uint64)
    with_cost = np.zeros(_COSTS, np.int32)
    limit = np.int32(_COSTS - 1)
    for parent in range(len(cells)):
        board, hidden, patterns, estimate = cells[parent], blocks[parent], columns[parent], estimates[parent]
        shown_key = hidden_key = np.uint64(0)
        white_in_rows[:] = 0
        white_in_columns[:] = 0
        for column in range(7):
            now[column] = table[_OUTER[column], patterns[column]]
            shown_key += np.uint64(patterns[column]) * factors[column]
        for row in range(7):
            for column in range(7):
                is_white = board[7 * row + column] == 0
                white_in_rows[row] |= is_white << column
                white_in_columns[column] |= is_white << row
        for column in range(7):
            outer, pattern = _OUTER[column], patterns[column]
            place = _PLACES[0, white_in_columns[column]]
            if place >= 0:
                change = np.int64(5 * (pattern % powers[place]))
                child_costs[column] = estimate + table[outer, pattern + change] - now[column]
                child_keys[column] = shown_key + np.uint64(change) * factors[column]
            else:
                child_costs[column] = -1
            place = _PLACES[1, white_in_columns[column]]
            if place >= 0:
                change = -np.int64(5 * (pattern // powers[place + 1] * powers[place]))
                child_costs[20 - column] = estimate + table[outer, pattern + change] - now[column]
                child_keys[20 - column] = shown_key + np.uint64(change) * factors[column]
            else:
                child_costs[20 - column] = -1
        for row in range(7):
            power = powers[row]
            place = _PLACES[0, white_in_rows[row]]
            if place >= 0:
                cost, key, new = estimate, shown_key, np.int64(0)
                for column in range(place + 1):
                    old = np.int64(board[7 * row + column])
                    change = (new - old) * power
                    cost += table[_OUTER[column], patterns[column] + change] - now[column]
                    key += np.uint64(change) * factors[column]
                    new = old
                child_costs[27 - row] = cost
                child_keys[27 - row] = key
            else:
                child_costs[27 - row] = -1
            place = _PLACES[1, white_in_rows[row]]
            if place >= 0:
                cost, key, new = estimate, shown_key, np.int64(0)
                for column in range(6, place - 1, -1):
                    old = np.int64(board[7 * row + column])
                    change = (new - old) * power
                    cost += table[_OUTER[column], patterns[column] + change] - now[column]
                    key += np.uint64(change) * factors[column]
                    new = old
                child_costs[7 + row] = cost
                child_keys[7 + row] = key
            else:
                child_costs[7 + row] = -1
        for force in range(28):
            cost = child_costs[force]
            if cost < 0 or cost > limit:
                continue
            if cost == 0:
                if ends < len(solved):
                    solved[ends, 0] = parent
                    solved[ends, 1] = force
                    ends += 1
                continue
            with_cost[cost] += 1
            below += 1
            while below - with_cost[limit] >= most:
                below -= with_cost[limit]
                limit -= 1
            key = child_keys[force]
            if cost < apart_below:
                if hidden_key == 0:
                    for square in range(49):
                        hidden_key += kinds[hidden[square]] * kind_factors[square]
                line = lines[force]
                place = lifted(board, line)
                come = kinds[hidden[line[place]]]
                change_of = np.uint64(0)
                for square in range(place + 1):
                    gone = kinds[hidden[line[square]]]
                    change_of += (come - gone) * kind_factors[line[square]]
                    come = gone
                key ^= hidden_key + change_of
            parents[count] = parent
            forces[count] = force
            costs[count] = cost
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
