"""The cheapest way to make pairs, by Edmonds' blossom algorithm as networkx has it."""

from collections.abc import Mapping
from math import prod

import networkx as nx

Cost = tuple[int, ...]
"""What a pair costs, the most important figure first. Figures are not negative."""


def cheapest_matching(costs: Mapping[tuple[int, int], Cost]) -> list[tuple[int, int]]:
    """Return as many pairs as possible with the least total cost, each as its key in `costs`.

    Totals are compared figure by figure: however much is saved in a later one makes up for nothing in an
    earlier one.
    """
    if not costs:
        return []
    graph: nx.Graph[int] = nx.Graph()
    units = _units(costs)
    for (one, other), cost in costs.items():
        weight = sum(figure * unit for figure, unit in zip(cost, units, strict=True))
        graph.add_edge(one, other, weight=weight)
    matched = nx.min_weight_matching(graph)
    return [(one, other) if (one, other) in costs else (other, one) for one, other in matched]


def _units(costs: Mapping[tuple[int, int], Cost]) -> list[int]:
    """Return what each figure counts, so that one in any place outweighs the later ones of all pairs."""
    pairs = len({player for pair in costs for player in pair}) // 2
    largest = [1 + pairs * max(figures) for figures in zip(*costs.values(), strict=True)]
    return [prod(largest[place + 1 :]) for place in range(len(largest))]
