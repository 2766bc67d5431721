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
def costs_to_end(sources, targets, moves, nodes, boards):
    """Return the least moves from each node to the end of a record, by the boards solved before it."""
    costs = np.full((boards + 1, nodes), FAR, np.int16)
    costs[boards] = 0
    for board in range(boards - 1, -1, -1):
        now, following = costs[board], costs[board + 1]
        for edge in range(len(sources)):
            cost = following[targets[edge]] + moves[edge]
            now[sources[edge]] = min(now[sources[edge]], cost)
    return costs


@njit(cache=True)
def promises(costs, estimates, path_costs, path_estimates, worth):
    """Return how much worse than the best path each node may be, in moves: the least over all boards.

    A node is compared with that of the best path after as many boards: by the moves so far, and by the
    estimate of the next board, of which each move counts `worth`.
    """
    least = np.full(costs.shape[1], np.float32(FAR))
    for board in range(len(path_costs)):
        for node in range(costs.shape[1]):
            if costs[board, node] < FAR:
                behind = costs[board, node] - path_costs[board]
                value = behind + worth * (estimates[node] - path_estimates[board])
                least[node] = min(least[node], value)
    return least


@njit(cache=True)
def regrets(to_node, to_end, best):
    """Return how many more moves than the best record one through each node takes, as far as known."""
    least = np.full(to_node.shape[1], np.int32(FAR))
    for board in range(len(to_node)):
        for node in range(to_node.shape[1]):
            whole = np.int32(to_node[board, node]) + np.int32(to_end[board, node])
            least[node] = min(least[node], whole - best)
    return least
