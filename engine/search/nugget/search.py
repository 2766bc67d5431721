"""A search for short records of Golden Nugget: a graph grows where the best record may become better.

Of all nodes whose board was not solved yet, those are next that promise most beside the node of the best
record after as many boards. Those on the way of the best records are solved again with wider beams.
"""

import math
import multiprocessing
import random
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from typing import Self

import numpy as np

from engine.search.nugget import path_kernels
from engine.search.nugget.beam import Beam, estimate
from engine.search.nugget.graph import Costs, Graph, Solved
from engine.search.nugget.nodes import node_of
from engine.search.nugget.runs import NoSolutionError, Run, StoppedError

_WIDTHS = ((1_500, 2), (6_000, 3), (30_000, 3))
"""The width of the beam and the extra moves of solutions, by effort less 1."""

_HANDICAPS = (0.0, 0.2, 1.0)
"""How much more a node must promise, in moves, before it is tried with the next effort."""

_EDGES = (40, 60, 100)
"""The most solutions that are kept, by effort less 1."""

_NEXT_WORTH = 0.85  # moves for each move of the estimate of the next board
_WORTHS = (0.7, 1.2)  # the range of the same in choosing, at random
_NOISE = 0.4  # moves; the mean of the random handicap of a node
_BREADTH = 8  # nodes for each second for a board that are tried after each board of a first record
_BROADEST = 60
_QUEUE = 3  # tasks for each process, so that none waits
_PLANNED = 100  # tasks before the next look at the whole graph
_LOOK_EVERY = 0.1  # seconds


_Task = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of the search: the best run, the nodes known, and how many of their boards were tried."""

    best: Run
    nodes: int
    tried: int

    @property
    def mean(self) -> float:
        """Return the mean of moves per board of the best run."""
        return self.best.moves / len(self.best.boards)


def search(
    graph: Graph,
    boards: int,
    seconds: float,
    seed: int,
    jobs: int,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Progress]:
    """Yield longer and better runs of up to so many boards, while a graph grows towards the best record.

    Take about `seconds`, or until there is a record of so many boards, on `jobs` processes, each with a core
    of its own. Raise NoSolutionError, StoppedError when `is_stopped` returns true, or BrokenProcessPool if a
    process is killed.

    No handler of a signal may raise an exception meanwhile: in the middle of a submission, it would make the
    pool wait for ever.
    """
    until = time.monotonic() + seconds
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    best = Run()
    breadth = max(1, min(_BROADEST, int(_BREADTH * seconds / boards)))
    with _Workers(jobs, chance, is_stopped) as workers:
        while True:
            is_over = time.monotonic() > until
            costs = graph.costs(boards)
            solved, moves = len(costs.path) - 1, int(costs.path_costs[-1])
            if (solved, -moves) > (len(best.boards), -best.moves):
                best = graph.run(costs.path)
                yield Progress(best, len(graph.nodes), len(graph.efforts) - graph.efforts.count(0))
            is_whole = solved == boards
            if is_whole and is_over:
                return
            if is_whole:
                plan, wanted = _plan(graph, costs, boards, chance), _PLANNED
            else:
                plan = _first_plan(graph, costs, breadth)
                wanted = len(plan)
            if not plan and not workers.tasks:
                raise NoSolutionError
            for number, effort, found in workers.solve(graph, plan, wanted, until if is_whole else math.inf):
                graph.add(number, effort, found)


class _Workers:
    """The processes that solve boards. A task is a node by its number, and the effort."""

    def __init__(self, jobs: int, chance: random.Random, is_stopped: Callable[[], bool]) -> None:
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if "fork" in methods else None)
        self._pool = ProcessPoolExecutor(jobs, context, _begin)
        self._most = _QUEUE * jobs
        self._chance = chance
        self._is_stopped = is_stopped
        self.tasks: dict[Future[list[Solved]], _Task] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def solve(
        self, graph: Graph, plan: list[_Task], wanted: int, until: float
    ) -> Iterator[tuple[int, int, list[Solved]]]:
        """Begin the tasks of a plan, and yield the first results until there are as many as wanted."""
        under_way = set(self.tasks.values())
        waiting = [task for task in reversed(plan) if task not in under_way]
        while wanted > 0 and (waiting or self.tasks) and time.monotonic() < until:
            while waiting and len(self.tasks) < self._most:
                number, effort = waiting.pop()
                seed = self._chance.randrange(1 << 30)
                self.tasks[self._pool.submit(_solve, graph.nodes[number], effort, seed)] = number, effort
            for future in wait(self.tasks, _LOOK_EVERY, FIRST_COMPLETED).done:
                wanted -= 1
                yield *self.tasks.pop(future), future.result()
            if self._is_stopped():
                raise StoppedError


def _first_plan(graph: Graph, costs: Costs, breadth: int) -> list[_Task]:
    """Return the best nodes after as many boards as any path has so far, to be tried before going on."""
    efforts, estimates = np.array(graph.efforts), np.array(graph.estimates, np.float32)
    layer = costs.from_start[len(costs.path) - 1]
    new = np.flatnonzero((layer < path_kernels.FAR) & (efforts == 0))
    if not len(new):  # all of them were tried in vain, or are known from boards before
        last = costs.path[-1]
        return [(last, graph.efforts[last] + 1)] if graph.efforts[last] < len(_WIDTHS) else []
    values = layer[new] + _NEXT_WORTH * estimates[new]
    return [(int(number), 1) for number in new[np.argsort(values)[:breadth]]]


def _plan(graph: Graph, costs: Costs, boards: int, chance: random.Random) -> list[_Task]:
    """Return the nodes to try next with the effort for each, when there is a whole record, best first."""
    efforts, estimates = np.array(graph.efforts), np.array(graph.estimates, np.float32)
    worth = chance.uniform(*_WORTHS)
    to_node = costs.from_start[:-1]  # the node after the last board leads nowhere
    promises = path_kernels.promises(
        to_node, estimates, costs.path_costs[:-1], estimates[costs.path[:-1]], worth
    )
    to_end = path_kernels.costs_to_end(*graph.edges(), len(graph.nodes), boards)
    regrets = path_kernels.regrets(to_node, to_end[:-1], int(costs.path_costs[-1]))
    noise = np.random.default_rng(chance.randrange(1 << 30)).exponential(_NOISE, len(efforts))
    handicaps = np.array([*_HANDICAPS, np.inf])
    values = np.where(efforts > 0, regrets, promises) + noise + handicaps[efforts]
    ready = np.flatnonzero(values < path_kernels.FAR / 2)
    first = ready[np.argsort(values[ready])[: 2 * _PLANNED]]
    return [(int(number), int(efforts[number]) + 1) for number in first]


# The beams of a process of the pool, by effort less 1.
_beams: dict[int, Beam] = {}


def _begin() -> None:
    # Only the parent process handles an interrupt; it ends the others, by SIGTERM if one of them is killed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _solve(node: bytes, effort: int, seed: int) -> list[Solved]:
    """Return the best solutions of the board at a node."""
    if effort not in _beams:
        _beams[effort] = Beam(*_WIDTHS[effort - 1])
    nodes: dict[bytes, Solved] = {}
    for solution in _beams[effort].solve(node, 0, seed):
        following = node_of(solution.blocks, 1)
        known = nodes.get(following)
        if known is None or len(known.forces) > len(solution.forces):
            nodes[following] = Solved(bytes(solution.forces), following, estimate(following, 0))
    ranked = sorted(nodes.values(), key=lambda solved: len(solved.forces) + _NEXT_WORTH * solved.estimate)
    return ranked[: _EDGES[effort - 1]]
