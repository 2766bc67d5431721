"""One number more in all positions of a beam, compiled. The web server never imports it.

A position has a row of `links`: for each empty square the sum of its ties to other empty squares, for the
others TAKEN. `lasts` and `jumps` are its last square and last jump, `runs` the number of its increasing runs
of jumps, `isolation` the sum of what the links of its empty squares cost, and `hashes` the hashes of the set
of its numbers in the eight ways to lay the board. The other arrays are those of `beam.Board`.
"""

import numpy as np
from numba import njit

TAKEN = 255
"""The entry of `links` for a square with a number."""

_CLASSES = 1 << 16  # of costs
_FINENESS = 256.0  # classes for each unit of cost
_MARGIN = 24.0  # by how much a position may cost less than all those of the number before
_NO_KEY = np.uint64(0xFFFFFFFFFFFFFFFF)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)


@njit(cache=True)
def follow(
    links,
    lasts,
    jumps,
    runs,
    isolation,
    hashes,
    number,
    most_slack,
    width,
    seed,
    noise,
    targets,
    fars,
    reaches,
    next_jumps,
    ties,
    costs,
    square_keys,
    last_keys,
    jump_keys,
    before,
    new_lasts,
    new_jumps,
    new_runs,
    new_isolation,
    keys,
    classes,
    table,
):
    """Find the positions with one number more, which is reached by the jump `number` of a game.

    Of those that are alike but for the turns of the board, the one with the fewest runs and then the
    shortest last jump is kept, and of all the `width` that cost least. Those with more slack than
    `most_slack` are left out.

    Return how many are in the buffers (`before` to `classes`), and whether some were dropped for the width.
    """
    longest = next_jumps.shape[0] - 1
    entries = (before, new_lasts, new_jumps, new_runs, new_isolation, keys, classes)
    histogram = np.zeros(_CLASSES, np.int64)
    table[:] = -1
    mask = np.uint64(table.size - 1)
    count, cutoff, has_dropped = 0, _CLASSES - 1, False
    lowest = np.inf
    for place in range(lasts.size):
        slack = longest * (runs[place] - 1) + jumps[place] - number + 1
        lowest = min(lowest, slack + isolation[place])
    lowest -= _MARGIN
    for place in range(lasts.size):
        last, jump, row = lasts[place], jumps[place], links[place]
        for choice in range(next_jumps.shape[1]):
            is_found = False
            for line in range(reaches[last]):
                square, far = targets[last, line], fars[last, line]
                if not next_jumps[jump, choice] >> far & 1 or row[square] == TAKEN:
                    continue
                is_found = True
                run = runs[place] + (far <= jump)
                slack = longest * (run - 1) + far - number
                if slack > most_slack:
                    continue
                isolated = isolation[place] - costs[row[square]]
                for near in range(reaches[square]):
                    other = row[targets[square, near]]
                    if other != TAKEN:
                        isolated += costs[other - ties[fars[square, near]]] - costs[other]
                key = _NO_KEY
                for turn in range(8):
                    key = min(key, hashes[place, turn] ^ square_keys[turn, square] ^ last_keys[turn, square])
                key ^= jump_keys[far]
                chance = ((key ^ seed) * _SCATTER >> np.uint64(40)) / (1 << 24)
                cost = slack + isolated + noise * chance - lowest
                kind = min(_CLASSES - 1, max(0, int(cost * _FINENESS)))
                if kind > cutoff:
                    has_dropped = True
                    continue
                slot = key & mask
                while table[slot] >= 0 and keys[table[slot]] != key:
                    slot = (slot + np.uint64(1)) & mask
                entry = table[slot]
                if entry < 0:
                    entry = count
                    table[slot] = entry
                    keys[entry] = key
                    count += 1
                elif (run, far) < (new_runs[entry], new_jumps[entry]):
                    histogram[classes[entry]] -= 1
                else:
                    continue
                histogram[kind] += 1
                before[entry], new_lasts[entry], new_jumps[entry], new_runs[entry] = place, square, far, run
                new_isolation[entry], classes[entry] = isolated, kind
                if count == before.size:
                    count, cutoff = _thin_out(width, histogram, entries, table)
                    has_dropped = True
            if is_found:
                break
    if count > width:
        count, _ = _thin_out(width, histogram, _first(count, entries), table)
        has_dropped = True
    return count, has_dropped


@njit(cache=True)
def _first(count, entries):
    before, lasts, jumps, runs, isolation, keys, classes = entries
    return (
        before[:count],
        lasts[:count],
        jumps[:count],
        runs[:count],
        isolation[:count],
        keys[:count],
        classes[:count],
    )


@njit(cache=True)
def _thin_out(width, histogram, entries, table):
    """Keep the `width` entries that cost least. Return their number and the highest class among them."""
    before, lasts, jumps, runs, isolation, keys, classes = entries
    highest, below = 0, 0
    while below + histogram[highest] < width:
        below += histogram[highest]
        highest += 1
    left = width - below  # of the highest class
    mask = np.uint64(table.size - 1)
    table[:] = -1
    histogram[:] = 0
    kept = 0
    for entry in range(before.size):
        if classes[entry] > highest or (classes[entry] == highest and left == 0):
            continue
        left -= classes[entry] == highest
        before[kept], lasts[kept], jumps[kept], runs[kept] = (
            before[entry],
            lasts[entry],
            jumps[entry],
            runs[entry],
        )
        isolation[kept], keys[kept], classes[kept] = isolation[entry], keys[entry], classes[entry]
        histogram[classes[kept]] += 1
        slot = keys[kept] & mask
        while table[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        table[slot] = kept
        kept += 1
    return kept, highest


@njit(cache=True)
def written(links, hashes, before, lasts, targets, fars, reaches, ties, square_keys):
    """Return the links and hashes of the positions `before` with one number more, on the squares `lasts`."""
    new_links = np.empty((before.size, links.shape[1]), np.uint8)
    new_hashes = np.empty((before.size, 8), np.uint64)
    for place in range(before.size):
        square, row = lasts[place], new_links[place]
        row[:] = links[before[place]]
        row[square] = TAKEN
        for near in range(reaches[square]):
            other = targets[square, near]
            if row[other] != TAKEN:
                row[other] -= ties[fars[square, near]]
        for turn in range(8):
            new_hashes[place, turn] = hashes[before[place], turn] ^ square_keys[turn, square]
    return new_links, new_hashes
