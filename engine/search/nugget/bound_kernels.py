"""The inner loop of the search that completes a lower bound, compiled.

It tries all pushes from a position, depth first. A position is left out if its heights rule out that the rest
of the moves is enough, or if it was met with as many moves left: all that follows was looked at then.
"""

import numpy as np
from numba import njit

NONE, FOUND, TOO_MANY = 0, 1, 2
"""There is no way of so many moves, there is one, or too many positions were looked at."""


@njit(cache=True)
def exhaust(start, target, rests, changes, most, unit, lines, met, limit, samples, every):
    """Return the outcome, and how many positions were looked at and sampled.

    `rests` is how high the start is above the target by each table of heights, and `changes` by how much a
    step of a block changes it: by force, step, colour and table. Each so many positions, one with the moves
    that led to it goes to `samples`, as far as there is room.
    """
    tables = len(rests)
    mask = np.uint64(len(met) - 1)
    low = np.uint64(0xFFFFFFFF)
    cells = np.zeros((most + 1, 49), np.uint8)
    heights = np.zeros((most + 1, tables), np.int16)
    force_of = np.zeros(most + 1, np.int64)
    change = np.zeros(tables, np.int16)
    cells[0] = start
    heights[0] = rests
    depth = looked = sampled = 0
    while depth >= 0:
        force = force_of[depth]
        if force == 0:
            looked += 1
            if looked > limit:
                return TOO_MANY, looked, sampled
            if looked % every == 0 and sampled < len(samples):
                samples[sampled, :49] = cells[depth]
                samples[sampled, 49] = depth
                sampled += 1
        if force == 28 or depth == most:
            depth -= 1
            continue
        force_of[depth] = force + 1
        far = 6
        while far >= 0 and cells[depth, lines[force, far]] != 0:
            far -= 1
        slides = False
        change[:] = 0
        for place in range(far):
            colour = cells[depth, lines[force, place]]
            if colour:
                slides = True
                for table in range(tables):
                    change[table] += changes[force, place, colour, table]
        if not slides:
            continue
        left = most - depth - 1
        too_high = False
        for table in range(tables):
            change[table] += heights[depth, table]
            too_high |= change[table] > left * unit
        if too_high:
            continue
        depth += 1
        for square in range(49):
            cells[depth, square] = cells[depth - 1, square]
        for place in range(far, 0, -1):
            cells[depth, lines[force, place]] = cells[depth - 1, lines[force, place - 1]]
        cells[depth, lines[force, 0]] = 0
        one = two = three = np.uint64(0)
        is_target = True
        for square in range(21):
            one = one << np.uint64(3) | np.uint64(cells[depth, square])
            two = two << np.uint64(3) | np.uint64(cells[depth, 21 + square])
            is_target &= cells[depth, square] == target[square]
            is_target &= cells[depth, 21 + square] == target[21 + square]
        for square in range(42, 49):
            three = three << np.uint64(3) | np.uint64(cells[depth, square])
            is_target &= cells[depth, square] == target[square]
        if is_target:
            return FOUND, looked, sampled
        key = one * np.uint64(0x9E3779B97F4A7C15) ^ two * np.uint64(0xC2B2AE3D27D4EB4F)
        key ^= three * np.uint64(0x165667B19E3779F9)
        key = (key ^ key >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
        place = np.int64(key >> np.uint64(32) & mask)
        if (
            met[place, 0] == one
            and met[place, 1] == two
            and met[place, 2] & low == three
            and met[place, 2] >> np.uint64(32) > np.uint64(left)
        ):
            depth -= 1
            continue
        met[place, 0] = one
        met[place, 1] = two
        met[place, 2] = three | np.uint64(left + 1) << np.uint64(32)
        for table in range(tables):
            heights[depth, table] = change[table]
        force_of[depth] = 0
    return NONE, looked, sampled
