"""Shortest paths with a given number of edges, compiled: one layer of costs for each board of a record."""

import numpy as np
from numba import njit

FAR = 30_000
"""The moves to a node that no path reaches."""


@njit(cache=True)
def costs_from_start(sources, targets, moves, nodes, boards):
    """Return the least moves from node 0 to each node by the number of boards, 0 to `boards`."""
    costs = np.full((boards + 1, nodes), FAR, np.int16)
    costs[0, 0] = 0
    for board in range(boards):
        now, following = costs[board], costs[board + 1]
        for edge in range(len(sources)):
            cost = now[sources[edge]] + moves[edge]
            following[targets[edge]] = min(following[targets[edge]], cost)
    return costs


@njit(cache=True)
def least(places, values, size):
    """Return the least value at each place, or FAR."""
    found = np.full(size, np.float32(FAR))
    for value in range(len(values)):
        found[places[value]] = min(found[places[value]], values[value])
    return found
