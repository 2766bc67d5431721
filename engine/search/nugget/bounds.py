"""Finding lower bounds and their certificates."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import permutations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, lil_array

from engine.golden_nugget.board import Board
from engine.golden_nugget.bounds import (
    LAYOUTS,
    MAX_HEIGHTS,
    PAINTS,
    UNIT,
    Cells,
    Certificate,
    Heights,
    cells_of,
    least_moves,
)
from engine.search.arrays import Array
from engine.search.nugget import bound_kernels
from engine.search.nugget.exhaustion import MOST_LOOKED, Search
from engine.search.nugget.tables import LINES

_FIRST_LOOKED = 300_000  # positions of a search after which tables of heights are added
_ADDED = 4  # tables of heights at a time
_STEPS = [(force, place) for force in range(28) for place in range(6)]
_MATCHES: Array = np.array(list(permutations(range(5))), np.int64)
_FAR = 1_000_000  # farther than any way


class NotProvenError(Exception):
    """The bound could not be proven; it may hold or not."""


def prove(board: Board, bound: int | None = None) -> Certificate:
    """Return the certificate of a bound, by default of the greatest one that heights alone can prove.

    Raise NotProvenError.
    """
    cells = cells_of(board)
    if bound is None:
        bound = min(least_moves(best_heights(cells, layout), cells, layout) for layout in LAYOUTS.values())
    tables = {name: _enough(cells, layout, bound - 1) for name, layout in LAYOUTS.items()}
    return Certificate(board, bound, tables)


def _enough(cells: Cells, layout: Cells, most: int) -> Sequence[Heights]:
    """Return tables of heights with which it is shown that no way of `most` moves leads to a layout.

    They are the best ones for positions that a search meets.
    """
    tables = [best_heights(cells, layout)]
    search = Search(cells, layout, most)
    while (outcome := search.run(tables, _FIRST_LOOKED)) == bound_kernels.TOO_MANY:
        more = list(_helpful(search.samples, layout, most))[: MAX_HEIGHTS - len(tables)]
        if not more:
            outcome = search.run(tables, MOST_LOOKED)
            break
        tables += more
    if outcome != bound_kernels.NONE:
        raise NotProvenError
    return tables


def _helpful(samples: Array, layout: Cells, most: int) -> Iterator[Heights]:
    """Yield tables of heights that rule out most of the positions that a search has met."""
    met = [(tuple(row[:49].tolist()), most - int(row[49])) for row in samples]
    tables = [best_heights(cells, layout) for cells, _ in met]
    rules_out = np.array(
        [[least_moves(heights, cells, layout) > left for cells, left in met] for heights in tables]
    )
    for _ in range(_ADDED):
        best = int(rules_out.sum(axis=1).argmax())
        if not rules_out[best].any():
            return
        yield tables[best]
        rules_out &= ~rules_out[best]


@cache
def _problem() -> tuple[csr_array, csr_array, Array]:
    """Return the linear program of the fewest pushes: capacities, flows, and what is minimized.

    Blocks flow over the steps to their strips, each colour by itself. A push of a force takes one block over
    each of its six steps at most.
    """
    paints, steps = len(PAINTS), len(_STEPS)
    flows = lil_array((paints * 49, paints * steps + 28))
    capacities = lil_array((steps, paints * steps + 28))
    for step, (force, place) in enumerate(_STEPS):
        capacities[step, paints * steps + force] = -1
        for paint in range(paints):
            capacities[step, paint * steps + step] = 1
            flows[paint * 49 + LINES[force, place], paint * steps + step] = 1
            flows[paint * 49 + LINES[force, place + 1], paint * steps + step] = -1
    return capacities.tocsr(), flows.tocsr(), np.repeat([0.0, 1.0], [paints * steps, 28])


@lru_cache(maxsize=2 * len(LAYOUTS))  # those of a board, to prove another bound of it
def best_heights(cells: Cells, layout: Cells) -> Heights:
    """Return the heights that put a position as high as possible above a layout, but for rounding."""
    capacities, flows, cost = _problem()
    shown, wanted = np.array(cells), np.array(layout)
    missing = np.concatenate([(shown == paint) * 1.0 - (wanted == paint) for paint in range(1, 6)])
    found = linprog(
        cost, A_ub=capacities, b_ub=np.zeros(len(_STEPS)), A_eq=flows, b_eq=missing, method="highs"
    )
    tolls = _rounded(np.maximum(0, -found.ineqlin.marginals).reshape(28, 6))
    ways = _ways(tolls)
    return tuple(_heights(ways[:, wanted == paint], np.flatnonzero(shown == paint)) for paint in range(1, 6))


def _rounded(tolls: Array) -> Array:
    """Return the tolls of steps in whole parts of UNIT, so that those of a line are UNIT at most."""
    whole: Array = np.floor(tolls * UNIT + 1e-6).astype(np.int64)
    for line, exact in zip(whole, tolls * UNIT, strict=True):
        missing = exact - line
        for place in np.argsort(-missing)[: max(0, UNIT - int(line.sum()))]:
            line[place] += missing[place] > 1e-6
    return whole


def _ways(tolls: Array) -> Array:
    """Return what the cheapest way costs from each square to each other one (Floyd and Warshall)."""
    ways: Array = np.full((49, 49), _FAR)
    np.fill_diagonal(ways, 0)
    for step, (force, place) in enumerate(_STEPS):
        near, far = LINES[force, place], LINES[force, place + 1]
        ways[near, far] = min(ways[near, far], tolls.flat[step])
    for square in range(49):
        ways = np.minimum(ways, ways[:, [square]] + ways[[square]])
    return ways


def _heights(ways: Array, blocks: Array) -> tuple[int, ...]:
    """Return heights of one colour: the cheapest ways to its five goals, each of which has its own price.

    The prices are those at which the cheapest assignment of the blocks to the goals is best for each of them.
    """
    costs = ways[blocks]
    goals = _MATCHES[costs[np.arange(5), _MATCHES].sum(axis=1).argmin()]
    prices = np.zeros(5, np.int64)
    for _ in range(5):
        for block, goal in enumerate(goals):
            prices = np.minimum(prices, prices[goal] + costs[block] - costs[block, goal])
    heights = (ways - prices).min(axis=1)
    return tuple((heights - heights.min()).tolist())
