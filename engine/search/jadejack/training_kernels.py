"""Compiled parts of the training: games of the search against itself, and the gradients of a network."""

import numpy as np
from numba import njit

from engine.search.jadejack.kernels import (
    DISKS,
    KIND,
    KOMI,
    LEAD,
    PASS,
    PASSES,
    SIDE,
    UNITS,
    VALUE,
    WON,
    entry,
    final,
    make,
    place,
    rank,
    take_back,
)
from engine.search.jadejack.search_kernels import UNKNOWN, deepen

_UNLIMITED = 1 << 40
_ALL, _GOOD = 200, 8  # of so many moves with the greatest gains, one is played at random
_WILD = 0.08  # the share of such moves in a game
_AWAY = 4  # a position is fewer random moves away from the game
_SPARE = 30  # the ply from which on these moves are remembered: no search is under way
_DEEP, _SHALLOW = 30, 6  # plies at most


@njit(cache=True)
def _revalue(search, tables, judges):
    """Value the squares as is right for the number of disks on the board, and forget all positions."""
    board, counts = search.board, search.counts
    disks = min(counts[DISKS], len(tables) - 1)
    search.table[:] = tables[disks]
    search.judge.weights[:], search.judge.move[:] = judges.weights[disks], judges.move[disks]
    search.judge.squares[:] = judges.squares[disks]
    value = -counts[KOMI]
    for square in range(board.shape[1]):
        value += search.table[entry(board[KIND, square], board[LEAD, square])]
    counts[VALUE] = value
    search.keys[:] = 0


@njit(cache=True)
def _think(search, depth, budget, memory):
    """Return the best move and its value, looking ahead until the budget is used up."""
    order, values, exact, tops = memory
    search.budget[0] = _UNLIMITED
    count = rank(0, _ALL, search)
    for at in range(count):
        order[at] = search.moves[0, at]
    order[count] = PASS
    side = search.counts[SIDE]
    best, value = np.int64(order[0]), search.counts[VALUE] * (1 - 2 * side)
    if count:
        value += search.gains[0, 0]
    if search.counts[PASSES] == 1 and (count == 0 or final(search.board, search.counts) > value):
        best, value = np.int64(PASS), final(search.board, search.counts)
    search.budget[0] = budget
    for reach in range(2, depth + 1):
        done = deepen(search, reach, _GOOD, order[: count + 1], values, exact, tops)
        if done == 0:
            break
        at = 0
        for other in range(done):
            if exact[other] and values[other] > (values[at] if exact[at] else UNKNOWN):
                at = other
        best, value = np.int64(order[at]), values[at]
        for other in range(at, 0, -1):
            order[other] = order[other - 1]
        order[0] = best
        if done <= count or abs(value) > WON // 2:
            break
    return best, value


@njit(cache=True)
def _random_move(search, most):
    search.budget[0] = _UNLIMITED
    count = rank(0, most, search)
    return np.int64(search.moves[0, np.random.randint(count)]) if count else np.int64(PASS)


@njit(cache=True)
def play(search, tables, judges, seed, budgets, share, mirror, tokens, filled, gained, worth, memory):
    """Play a game, write positions near its course as long as there is room, and return their number.

    `tables` and `judges` are the evaluations for each number of disks. A move of the game has the first of
    the budgets, and a share of its positions is searched with the second one. The entries of a position's
    squares are written to `tokens`, the disks per square to `filled`, and what it is worth to the side to
    move, in hundredths of a point, to `gained` (after the greatest gain) and `worth` (after the search).
    """
    np.random.seed(seed)
    board, counts = search.board, search.counts
    squares = board.shape[1]
    opening, count = np.random.randint(2, 10), 0
    moves = np.zeros(_AWAY, np.int64)
    for ply in range(4 * squares):
        if counts[PASSES] == 2:
            break
        if ply >= opening and count < len(worth) and np.random.random() < share:
            passes, away = counts[PASSES], 0
            for step in range(np.random.randint(_AWAY)):
                move = _random_move(search, _GOOD if np.random.random() < 0.75 else _ALL)
                if move == PASS:
                    break
                place(move, _SPARE + step, search)
                moves[step] = move
                away += 1
            _revalue(search, tables, judges)
            side = counts[SIDE]
            search.budget[0] = _UNLIMITED
            if rank(0, 1, search):
                gained[count] = counts[VALUE] * (1 - 2 * side) + max(0, search.gains[0, 0])
                _, value = _think(search, _DEEP, budgets[1], memory)
                if abs(value) > WON // 2:
                    value -= WON if value > 0 else -WON
                worth[count], filled[count] = value, counts[DISKS] / squares
                for square in range(squares):
                    token = entry(board[KIND, square], board[LEAD, square])
                    tokens[count, square] = mirror[token] if side == 1 else token
                count += 1
            for step in range(away - 1, -1, -1):
                take_back(moves[step], _SPARE + step, search)
            counts[PASSES] = passes
        _revalue(search, tables, judges)
        if ply < opening or np.random.random() < _WILD:
            move = _random_move(search, _ALL if ply < opening else _GOOD)
        else:
            move, _ = _think(search, _SHALLOW, budgets[0], memory)
        make(move, 0, search)
    return count


@njit(cache=True, fastmath=True)
def values(tokens, filled, near, network, found, hidden):
    """Write what a network adds to positions, in points, to `found`, and its units for the last of them."""
    outside = network.patterns.shape[1] - 1
    squares = tokens.shape[1]
    for position in range(len(tokens)):
        disks = filled[position]
        value = np.float32(0)
        for bend in range(len(network.move) - 1, -1, -1):
            value = value * disks + network.move[bend]
        for square in range(squares):
            own = tokens[position, square]
            sums = hidden[square]
            for unit in range(UNITS):
                sums[unit] = network.bias[unit] + network.patterns[0, own, unit]
            for way in range(8):
                other = near[square, way]
                token = tokens[position, other] if other < squares else outside
                table = 1 if way < 4 else 2
                for unit in range(UNITS):
                    sums[unit] += network.patterns[table, token, unit]
            power = np.float32(1)
            for bend in range(len(network.move)):
                part = network.squares[bend, own]
                for unit in range(UNITS):
                    part += max(sums[unit], np.float32(0)) * network.weights[bend, unit]
                value += part * power
                power *= disks
        found[position] = value


@njit(cache=True, fastmath=True)
def gradients(tokens, filled, wanted, near, network, slopes, hidden, most):
    """Add the gradients of half the squared errors to `slopes`, errors cut off at `most` points.

    Return the sum of the squared errors.
    """
    outside = network.patterns.shape[1] - 1
    squares, bends = tokens.shape[1], len(network.move)
    found, total = np.zeros(1, np.float32), 0.0
    for position in range(len(tokens)):
        disks = filled[position]
        values(tokens[position : position + 1], filled[position : position + 1], near, network, found, hidden)
        error = found[0] - wanted[position]
        total += error * error
        slope = np.float32(min(max(error, -most), most))
        power = slope
        for bend in range(bends):
            slopes.move[bend] += power
            power *= disks
        for square in range(squares):
            own, sums = tokens[position, square], hidden[square]
            power = slope
            for bend in range(bends):
                slopes.squares[bend, own] += power
                for unit in range(UNITS):
                    slopes.weights[bend, unit] += power * max(sums[unit], np.float32(0))
                power *= disks
            for unit in range(UNITS):
                back = np.float32(0)
                if sums[unit] > 0:
                    power = slope
                    for bend in range(bends):
                        back += power * network.weights[bend, unit]
                        power *= disks
                sums[unit] = back
                slopes.bias[unit] += back
                slopes.patterns[0, own, unit] += back
            for way in range(8):
                other = near[square, way]
                token = tokens[position, other] if other < squares else outside
                table = 1 if way < 4 else 2
                for unit in range(UNITS):
                    slopes.patterns[table, token, unit] += sums[unit]
    return total
