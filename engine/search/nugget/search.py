"""A search for short records of Golden Nugget: a graph grows where the best record may become better.

Of all nodes whose board was not solved yet, those are next that promise most beside the node of the best
record after as many boards. Those on the way of the best records are solved again with wider beams. A long
record gets its first boards first, and then a cycle that is worth repeating.
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


@dataclass(frozen=True, slots=True)
class _Effort:
    """How hard a board is tried: by a beam of some width, which finds solutions with so many extra moves.

    `handicap` is how much more a node must promise, in moves, before it is tried so; `most` is the number of
    solutions that are kept, and `seconds` is what the longest board takes.
    """

    width: int
    slack: int
    handicap: float
    most: int
    seconds: float


_EFFORTS = (
    _Effort(500, 2, 0.0, 20, 0.1),
    _Effort(3_000, 3, 0.1, 40, 0.5),
    _Effort(15_000, 3, 0.6, 80, 3.0),
    _Effort(60_000, 3, 1.5, 120, 12.0),
)
_FIRST_EFFORTS = (4, 3, 3, 2, 2, 2)
"""For the first boards, which are few and long. Later nodes are tried with effort 1 first."""

_PART = 0.1  # of the time, which one board must not exceed
_NEXT_WORTH = 0.85  # moves for each move of the estimate of the next board
_WORTHS = (0.7, 1.2)  # the range of the same in choosing, at random
_NOISE = 0.4  # moves; the mean of the random handicap of a node
_BREADTH = 10  # nodes for each second for a board that are tried after each board of a first record
_BROADEST = 400
_TRANSIENT = 20  # boards, after which a record repeats itself sooner or later
_BREADTH_LATER = 2
_SHARE = 0.3  # of the time, in which the first boards are sought
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
    began = time.monotonic()
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    hardest = max(1, sum(effort.seconds <= _PART * seconds for effort in _EFFORTS))
    short = min(boards, _TRANSIENT)
    breadth = max(1, min(_BROADEST, int(_BREADTH * seconds / short)))
    early = _SHARE * seconds
    best = Run()
    with _Workers(jobs, chance, is_stopped) as workers:
        while True:
            passed = time.monotonic() - began
            goal = short if passed < early else boards
            costs = graph.costs(goal)
            solved, moves = len(costs.path) - 1, int(costs.path_costs[-1])
            if (solved, -moves) > (len(best.boards), -best.moves):
                best = graph.run(costs.path)
                yield Progress(best, len(graph.nodes), len(graph.efforts) - graph.efforts.count(0))
            if solved == boards and passed > seconds:
                return
            if solved == goal:
                plan, wanted = _plan(graph, costs, hardest, chance), _PLANNED
            else:
                plan = _first_plan(graph, costs, hardest, breadth if solved < short else _BREADTH_LATER)
                wanted = len(plan)
            if not plan and not workers.tasks:
                if solved < goal:
                    raise NoSolutionError
                if goal == boards:
                    return
                early = 0.0
            until = began + seconds if solved == boards else math.inf
            for number, effort, found in workers.solve(graph, plan, wanted, until):
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


def _first_plan(graph: Graph, costs: Costs, hardest: int, breadth: int) -> list[_Task]:
    """Return the best nodes after as many boards as any path has so far, to be tried before going on."""
    solved, last = len(costs.path) - 1, costs.path[-1]
    first = min(hardest, _FIRST_EFFORTS[solved] if solved < len(_FIRST_EFFORTS) else 1)
    sources, targets, moves = graph.edges()
    efforts, estimates = np.array(graph.efforts), np.array(graph.estimates)
    to_node = np.full(len(efforts), path_kernels.FAR, np.int32)
    to_node[costs.tried] = costs.from_start[-1]
    layer = path_kernels.least(targets, to_node[sources] + moves, len(efforts))
    new = np.flatnonzero((layer < path_kernels.FAR) & (efforts == 0))
    if not len(new):  # all of them were tried in vain, or are known from boards before
        effort = max(first, graph.efforts[last] + 1)
        return [(last, effort)] if effort <= len(_EFFORTS) else []
    values = layer[new] + _NEXT_WORTH * estimates[new]
    return [(int(number), first) for number in new[np.argsort(values)[:breadth]]]


def _plan(graph: Graph, costs: Costs, hardest: int, chance: random.Random) -> list[_Task]:
    """Return the nodes to try next with the effort for each, when there is a whole record, best first.

    How much worse than the best path a node may be, in moves, is known for one that was tried. Another is
    compared with the node of the path after as many boards, by the moves so far and by the estimate.
    """
    sources, targets, moves = graph.edges()
    efforts, estimates = np.array(graph.efforts), np.array(graph.estimates)
    worth = chance.uniform(*_WORTHS)
    on_path = costs.path_costs[1:-1] + worth * estimates[costs.path[1:-1]]
    behind = np.zeros(len(efforts), np.float32)
    behind[costs.tried] = (costs.from_start[:-1] - on_path[:, None]).min(axis=0, initial=path_kernels.FAR)
    values = path_kernels.least(targets, behind[sources] + moves, len(efforts)) + worth * estimates
    whole = costs.from_start.astype(np.int32) + costs.to_end
    values[costs.tried] = whole.min(axis=0) - costs.path_costs[-1]
    handicaps = np.full(len(_EFFORTS) + 1, np.inf)
    handicaps[:hardest] = [effort.handicap for effort in _EFFORTS[:hardest]]
    handicaps *= max(1.0, len(set(costs.path)) / _TRANSIENT)  # while a record has no cycle, it is too early
    noise = np.random.default_rng(chance.randrange(1 << 30)).exponential(_NOISE, len(efforts))
    values += noise + handicaps[efforts]
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
    chosen = _EFFORTS[effort - 1]
    if effort not in _beams:
        _beams[effort] = Beam(chosen.width, chosen.slack)
    nodes: dict[bytes, Solved] = {}
    for solution in _beams[effort].solve(node, 0, seed):
        following = node_of(solution.blocks, 1)
        known = nodes.get(following)
        if known is None or len(known.forces) > len(solution.forces):
            nodes[following] = Solved(bytes(solution.forces), following, estimate(following, 0))
    ranked = sorted(nodes.values(), key=lambda solved: len(solved.forces) + _NEXT_WORTH * solved.estimate)
    return ranked[: chosen.most]
