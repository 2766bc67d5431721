"""The cheapest way to make pairs, by Edmonds' blossom algorithm as rustworkx has it."""

from collections.abc import Mapping
from math import prod

Cost = tuple[int, ...]
"""What a pair costs, the most important figure first. Figures are not negative."""


def cheapest_matching(costs: Mapping[tuple[int, int], Cost]) -> list[tuple[int, int]]:
    """Return as many pairs as possible with the least total cost, each as its key in `costs`.

    Totals are compared figure by figure: however much is saved in a later one makes up for nothing in an
    earlier one.
    """
    if not costs:
        return []
    import rustworkx as rx  # noqa: PLC0415 - 4 MB, of use to a web process only when it makes pairs

    players = sorted({player for pair in costs for player in pair})
    node = {player: place for place, player in enumerate(players)}
    units = _units(costs)
    weights = {
        pair: sum(figure * unit for figure, unit in zip(cost, units, strict=True))
        for pair, cost in costs.items()
    }
    most = 1 + max(weights.values())
    graph: rx.PyGraph[int, int] = rx.PyGraph()
    graph.add_nodes_from(players)
    graph.add_edges_from([(node[one], node[other], most - weights[one, other]) for one, other in costs])
    matched = rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = [(players[one], players[other]) for one, other in matched]
    return [(one, other) if (one, other) in costs else (other, one) for one, other in pairs]


def _units(costs: Mapping[tuple[int, int], Cost]) -> list[int]:
    """Return what each figure counts, so that one in any place outweighs the later ones of all pairs."""
    pairs = len({player for pair in costs for player in pair}) // 2
    largest = [1 + pairs * max(figures) for figures in zip(*costs.values(), strict=True)]
    return [prod(largest[place + 1 :]) for place in range(len(largest))]
