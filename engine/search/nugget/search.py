"""A search for short records of Golden Nugget: a first board that leads into a cycle, and the cycle.

Pairs of boards that take each other back are the best cycles. A beam seeks the shortest first board that ends
in one of them. A plain record, from board to board, is there before, in case that the time is short.
"""

import math
import multiprocessing
import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import partial
from typing import Self

import numpy as np

from engine.golden_nugget.cycle import longest_cycle
from engine.search.nugget import path_kernels, tasks
from engine.search.nugget.approach import distance
from engine.search.nugget.graph import FIRST, Costs, Graph
from engine.search.nugget.pairs import PUSHES
from engine.search.nugget.progress import Progress
from engine.search.nugget.runs import NoSolutionError, Run, StoppedError
from engine.search.nugget.tasks import EFFORTS, NEXT_WORTH, Approaching, Found, SeekPairs, Solve, Task

_FIRST_EFFORTS = (4, 3, 3, 2, 2, 2)
"""For the first boards, which are long."""

_PART = 0.1  # of the time, which one board must not exceed
_BREADTH = 3  # nodes that are tried after each board of the plain record
_SHORTEST = 10  # boards of a record for which a cycle is worth while
_SEEKING = 0.25  # of the time, in which pairs are sought
_ENOUGH = 400  # of their nodes
_GOALS = 2  # that are approached at once
_RANKS = 10  # the mean rank of a goal, by its estimated distance
_NARROW, _WIDE = 1_000, 16_000  # the beams that approach a cycle
_QUEUE = 3  # tasks for each process, so that none waits
_LOOK_EVERY = 0.1  # seconds


def search(
    graph: Graph,
    boards: int,
    seconds: float,
    seed: int,
    jobs: int,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Progress]:
    """Yield several times a second how far a search for runs of up to so many boards is, while a graph grows.

    The best run gets longer, then better. Take about `seconds`, or until there is a record of so many boards,
    on `jobs` processes, each with a core of its own. Raise NoSolutionError, StoppedError when `is_stopped`
    returns true, or BrokenProcessPool if a process is killed.

    No handler of a signal may raise an exception meanwhile: in the middle of a submission, it would make the
    pool wait for ever.
    """
    began = time.monotonic()
    planner = _Planner(graph, boards, seconds, seed)
    best, cycle = Run(), None
    known = graph.boards

    def counts() -> tuple[int, int, int, float]:
        tried = len(graph.efforts) - graph.efforts.count(0)
        return len(graph.nodes), tried, graph.boards - known, time.monotonic() - began

    with _Workers(jobs, is_stopped) as workers:
        while True:
            costs = graph.costs(boards)
            solved, moves = len(costs.path) - 1, int(costs.path_costs[-1])
            if (solved, -moves) > (len(best.boards), -best.moves):
                best = graph.run(costs.path)
                cycle = longest_cycle(costs.path[1:], np.diff(costs.path_costs).tolist())
            passed = time.monotonic() - began
            if solved < boards:
                plan, until, most_left = planner.first_plan(costs), math.inf, 0
            else:
                plan, until, most_left = planner.plan(passed), began + seconds, jobs - 1
            progress = partial(Progress, best, costs.fewest, cycle, _board_of(plan, solved))
            yield progress(*counts())
            if not plan and solved < boards:
                raise NoSolutionError
            if not plan or (passed > seconds and solved == boards):
                return
            for found in workers.run(plan, until, most_left):
                for each in found:
                    graph.add(graph.number(each.node), each.effort, each.boards)
                yield progress(*counts())


def _board_of(plan: Sequence[Task], solved: int) -> int | None:
    """Return the number of the board at which a plan works, None if it is none of the best run."""
    match plan:
        case [Solve(), *_]:
            return solved + 1
        case [Approaching(), *_]:
            return 1
    return None


class _Planner:
    """Decides what to do next."""

    def __init__(self, graph: Graph, boards: int, seconds: float, seed: int) -> None:
        self._graph = graph
        self._boards = boards
        self._seconds = seconds
        # A search that goes on from a graph would else try again what this was made of.
        self._chance = random.Random(seed + len(graph.nodes) - 1)  # noqa: S311 - not for secrets
        self._hardest = max(1, sum(effort.seconds <= _PART * seconds for effort in EFFORTS))
        self._approaches = 0
        self._distances: dict[bytes, float] = {}

    def first_plan(self, costs: Costs) -> list[Task]:
        """Return the best nodes after as many boards as any path has so far, to be tried before going on."""
        solved, last = len(costs.path) - 1, costs.path[-1]
        first = min(self._hardest, _FIRST_EFFORTS[solved] if solved < len(_FIRST_EFFORTS) else 1)
        sources, targets, moves = self._graph.edges()
        efforts, estimates = np.array(self._graph.efforts), np.array(self._graph.estimates)
        to_node = np.full(len(efforts), path_kernels.FAR, np.int32)
        to_node[costs.tried] = costs.from_start[-1]
        layer = path_kernels.least(targets, to_node[sources] + moves, len(efforts))
        new = np.flatnonzero((layer < path_kernels.FAR) & (efforts == 0))
        if not len(new):  # all of them were tried in vain, or are known from boards before
            effort = max(first, self._graph.efforts[last] + 1)
            return [Solve(self._graph.nodes[last], effort)] if effort <= len(EFFORTS) else []
        values = layer[new] + NEXT_WORTH * estimates[new]
        return [Solve(self._graph.nodes[number], first) for number in new[np.argsort(values)[:_BREADTH]]]

    def plan(self, passed: float) -> list[Task]:
        """Return what to do when there is a whole record, after so many seconds."""
        if self._boards < _SHORTEST:
            return []
        sources, _, moves = self._graph.edges()
        goals = np.unique(sources[moves == PUSHES]).tolist()
        if not goals or (len(goals) < _ENOUGH and passed < _SEEKING * self._seconds):
            return [SeekPairs(self._chance.randrange(1 << 30))]
        return [self._approach([self._graph.nodes[number] for number in goals])]

    def _approach(self, goals: list[bytes]) -> Task:
        """Return a search for a first board that ends in one of the nearest goals, a wider one each time.

        Goals are chosen at random, since the estimates of distances are rough.
        """
        for goal in goals:
            if goal not in self._distances:
                self._distances[goal] = distance(FIRST, goal)
        ranked = sorted(goals, key=self._distances.__getitem__)
        some = {ranked[int(self._chance.expovariate(1 / _RANKS)) % len(ranked)] for _ in range(_GOALS)}
        width = min(_NARROW << self._approaches // 2, _WIDE)
        self._approaches += 1
        return Approaching(tuple(sorted(some)), width, self._chance.randrange(1 << 30))


class _Workers:
    """The processes that do tasks."""

    def __init__(self, jobs: int, is_stopped: Callable[[], bool]) -> None:
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if "fork" in methods else None)
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(jobs, context, tasks.begin, (self._stop,))
        self._jobs = jobs
        self._is_stopped = is_stopped
        self._under_way: set[Future[list[Found]]] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def run(self, plan: list[Task], until: float, most_left: int) -> Iterator[list[Found]]:
        """Do the tasks of a plan, until no more than some are left, or it is time.

        Yield what is found, nothing if that takes long, so that the caller can tell how far the search is.
        Raise StoppedError when the search is to stop.
        """
        waiting = plan[::-1]
        while True:
            while waiting and len(self._under_way) < _QUEUE * self._jobs:
                self._under_way.add(self._pool.submit(tasks.run, waiting.pop()))
            if len(waiting) + len(self._under_way) <= most_left or time.monotonic() >= until:
                return
            done = wait(self._under_way, _LOOK_EVERY, FIRST_COMPLETED).done
            self._under_way -= done
            yield [found for future in done for found in future.result()]
            if self._is_stopped():
                raise StoppedError
