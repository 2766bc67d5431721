"""The inner loops of the beam that leads to a given position, compiled.

A board is written by where each of its blocks belongs: `places` has for each square the square on which its
block has to end, or 49 for a block that is white on both faces, which may end on any that is left. Each board
of the beam has one goal for good; `keys` tell the same board with the same goal, whichever of
equal blocks is to end where. A goal has a table of what each block on each square adds to that key.
"""

import numpy as np
from numba import njit

from engine.search.nugget.kernels import get, put, shift

_WHITE_KINDS = 6  # the kinds of blocks that show white are the numbers below


@njit(cache=True)
def lifted(places, is_white, line):
    """Return the index (0 to 6) on a line of the block that a push lifts, or -1 if the push is illegal."""
    place = 6
    while place >= 0 and not is_white[places[line[place]]]:
        place -= 1
    for before in range(place):
        if not is_white[places[line[before]]]:
            return place
    return -1


@njit(cache=True)
def push(places, is_white, line):
    """Push a line of a board in place. Return the index on the line of the block that is lifted, or -1."""
    place = lifted(places, is_white, line)
    if place >= 0:
        shift(places, line, place)
    return place


@njit(cache=True)
def line_cost(places, line, steps_of, reach, steps):
    """Return what the blocks of a row or column add to the estimate.

    A push moves all of them at once, so the farthest ones count most, in both directions.
    """
    forth = back = way = 0
    for place in range(7):
        step = steps_of[places[line[place]], place]
        forth = max(forth, step)
        back = max(back, -step)
        way += abs(step)
    return reach * (forth + back) + steps * way


@njit(cache=True)
def estimate(places, across, steps_of, extra, reach, steps, costs):
    """Write what each of the 14 rows and columns adds to the estimate of a board, and return the estimate."""
    total = 0
    for square in range(49):
        total += extra[square, places[square]]
    for line in range(14):
        costs[line] = line_cost(places, across[line], steps_of[line // 7], reach, steps)
        total += costs[line]
    return total


@njit(cache=True)
def expand(
    boards, goals, keys, lines, across, is_white, steps_of, extra, reach, steps, tables,
    near_keys, near_moves, near_mask, parents, forces, costs, identities,
):  # fmt: skip
    """Write parent, force, estimate and key of the boards after one push.

    Return the number of them, the fewest moves that one of them is from its goal if it is in the table of
    boards near a goal, and which one it is.
    """
    count = 0
    fewest, nearest = np.uint8(255), -1
    line_costs = np.empty(14, np.int64)
    child = np.empty(49, np.uint8)
    for parent in range(len(boards)):
        board, table = boards[parent], tables[goals[parent]]
        total = estimate(board, across, steps_of, extra, reach, steps, line_costs)
        for force in range(28):
            line = lines[force]
            child[:] = board
            last = push(child, is_white, line)
            if last < 0:
                continue
            cost, key = total, keys[parent]
            for place in range(last + 1):
                square = line[place]
                cost += extra[square, child[square]] - extra[square, board[square]]
                key ^= table[square, board[square]] ^ table[square, child[square]]
            is_row = abs(line[1] - line[0]) == 1
            for place in range(7):
                square = line[place]
                crossed = square % 7 if is_row else 7 + square // 7
                if place <= last:
                    now = line_cost(child, across[crossed], steps_of[crossed // 7], reach, steps)
                    cost += now - line_costs[crossed]
            own = 7 + line[0] // 7 if is_row else line[0] % 7
            cost += line_cost(child, across[own], steps_of[own // 7], reach, steps) - line_costs[own]
            moves = get(near_keys, near_moves, near_mask, key)
            if moves < fewest:
                fewest, nearest = moves, count
            parents[count] = parent
            forces[count] = force
            costs[count] = cost
            identities[count] = key
            count += 1
    return count, fewest, nearest


@njit(cache=True)
def advance(boards, parents, forces, lines, is_white):
    """Return the boards after pushes of their parents."""
    pushed = np.empty((len(parents), 49), np.uint8)
    for child in range(len(parents)):
        pushed[child] = boards[parents[child]]
        push(pushed[child], is_white, lines[forces[child]])
    return pushed


@njit(cache=True)
def key_of(kinds, hashes):
    """Return the key of a board, given the kind of the block on each square."""
    key = np.uint64(0)
    for square in range(49):
        key ^= hashes[square, kinds[square]]
    return key


@njit(cache=True)
def boards_before(boards, lines, hashes, keys, moves, mask, depth, added):
    """Add all boards from which one push leads to these boards to the table. Return the number added.

    Boards are the kinds of their blocks here. They are also written to `added`, as far as there is room.
    """
    count = 0
    for board in boards:
        known = key_of(board, hashes)
        for line in lines:
            if board[line[0]] >= _WHITE_KINDS:
                continue  # a push leaves the lifted white block there
            for place in range(6, 0, -1):
                # Undo the push that lifted the block from there, as far as it moved a coloured one.
                key = known ^ hashes[line[0], board[line[0]]] ^ hashes[line[place], board[line[0]]]
                moved = False
                for square in range(place):
                    kind = board[line[square + 1]]
                    key ^= hashes[line[square + 1], kind] ^ hashes[line[square], kind]
                    moved = moved or kind >= _WHITE_KINDS
                if not moved:
                    break
                if put(keys, moves, mask, key, depth):
                    if count < len(added):
                        added[count] = board
                        for square in range(place):
                            added[count, line[square]] = board[line[square + 1]]
                        added[count, line[place]] = board[line[0]]
                    count += 1
                if board[line[place]] < _WHITE_KINDS:
                    break
    return count
