"""A search for short runs of Golden Nugget: many runs advance board by board, and the best are kept.

A run is judged by its moves so far and the estimated moves of its next board.
"""

import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from dataclasses import dataclass

from engine.golden_nugget.board import START, push, turn
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.record import Record, RecordedBoard
from engine.search.nugget import endgame
from engine.search.nugget.beam import Beam, Solution
from engine.search.nugget.tables import FORCE_NAMES

WIDTH = 500
"""The boards that a beam keeps after each move when time is short."""

_NEXT_WORTH = 0.7  # moves for each move of the estimate of the next board
_FROM_ONE_RUN = 40  # solutions of a board that a run offers
_SHARE = 4  # at most 1 in _SHARE runs may have the same parent, which keeps them different
_MOST_RUNS = 60  # with time to spare, the beams get wider instead
_WIDEST = 20_000
_QUICK = 120  # seconds; searches shorter than this use the shallower database
_LOOK_EVERY = 0.1  # seconds


class NoSolutionError(Exception):
    """No solution was found. A wider beam or another seed may find one."""


class StoppedError(Exception):
    """The search was asked to stop."""


@dataclass(frozen=True, slots=True)
class Run:
    """The boards solved so far: the forces of each by index, and the current 49 blocks (bytes)."""

    blocks: bytes = bytes(START.cells)
    boards: tuple[tuple[int, ...], ...] = ()
    moves: int = 0

    @property
    def record(self) -> Record:
        """Return the record of the run."""
        names = (tuple(FORCE_NAMES[force] for force in forces) for forces in self.boards)
        return Record(tuple(RecordedBoard(moves) for moves in names))


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of the search: the best run, and the number of runs and width of beams it continues with."""

    best: Run
    runs: int
    width: int

    @property
    def mean(self) -> float:
        """Return the mean of moves per board of the best run."""
        return self.best.moves / len(self.best.boards)


def resumed(data: bytes) -> Run:
    """Return the run of a record file, of any length. Raise ValueError if the record has problems."""
    verdict = verify_file(data)
    for problem in verdict.problems:
        if problem.code != "too_few_boards":
            where = f" (board {problem.board}, move {problem.move})" if problem.move else ""
            raise ValueError(f"The record cannot be continued: {problem.message}{where}")
    board, boards = START, []
    for recorded in verdict.record.boards:
        forces = []
        for move in recorded.moves:
            force = move[:1].upper()
            board, _ = push(board, force)
            forces.append(FORCE_NAMES.index(force))
        boards.append(tuple(forces))
        board = turn(board)
    return Run(bytes(board.cells), tuple(boards), sum(map(len, boards)))


def search(
    start: Run,
    boards: int,
    seconds: float,
    seed: int,
    jobs: int,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Iterator[Progress]:
    """Continue a run to the given number of boards, and yield the progress after each board.

    Takes about `seconds` on `jobs` processes, each with a core of its own. Raise NoSolutionError,
    StoppedError when `is_stopped` returns true, or BrokenProcessPool if a process is killed.

    No handler of a signal may raise an exception meanwhile: in the middle of a submission, it would make the
    pool wait for ever.
    """
    until = time.monotonic() + seconds
    database = endgame.build(endgame.DEEPEST if seconds >= _QUICK else endgame.DEEPEST - 1)
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    with ProcessPoolExecutor(jobs, context, _begin, (database,)) as pool:
        pace = _pace(pool, start, seed, jobs, is_stopped)
        runs = [start]
        for board in range(len(start.boards), boards):
            # As many beams of the usual width as there is time for, divided among the runs.
            affordable = max(0.0, until - time.monotonic()) / (boards - board) / pace
            share = affordable / len(runs) * min(1, len(runs) / jobs)
            width = max(WIDTH, min(_WIDEST, int(WIDTH * share)))
            began = time.monotonic()
            tasks = [(run, width, seed + 1_000 * board + place) for place, run in enumerate(runs)]
            offers = _offers(pool, tasks, is_stopped)
            if not offers:
                raise NoSolutionError
            if len(runs) >= jobs:
                pace = (time.monotonic() - began) / len(runs) * WIDTH / width
            runs = _best(offers, max(1, min(_MOST_RUNS, int(affordable))))
            yield Progress(min(runs, key=lambda run: run.moves), len(runs), width)


def _pace(
    pool: ProcessPoolExecutor, start: Run, seed: int, jobs: int, is_stopped: Callable[[], bool]
) -> float:
    """Return the seconds per beam of the usual width while all processes work, after a warm-up."""
    began = 0.0
    for _ in range(2):
        began = time.monotonic()
        _offers(pool, [(start, WIDTH, seed)] * jobs, is_stopped)
    return (time.monotonic() - began) / jobs


@dataclass(frozen=True, slots=True)
class _Offer:
    """A run with one more board solved, the blocks of its parent, and its cost in moves."""

    cost: float
    parent: bytes
    run: Run


def _offers(
    pool: ProcessPoolExecutor, tasks: Sequence[tuple[Run, int, int]], is_stopped: Callable[[], bool]
) -> list[_Offer]:
    """Return what the processes of a pool offer for all tasks. Raise StoppedError."""
    futures = [pool.submit(_solve, task) for task in tasks]
    while not is_stopped():
        if not wait(futures, _LOOK_EVERY).not_done:
            return [offer for future in futures for offer in future.result()]
    pool.shutdown(cancel_futures=True)
    raise StoppedError


def _best(offers: Sequence[_Offer], number: int) -> list[Run]:
    """Return the best runs: no two with the same board, and not too many with the same parent."""
    most = max(2, number // _SHARE) if len({offer.parent for offer in offers}) > 1 else number
    children: Counter[bytes] = Counter()
    chosen: dict[bytes, Run] = {}
    for offer in sorted(offers, key=lambda offer: offer.cost):
        if len(chosen) == number:
            break
        if offer.run.blocks not in chosen and children[offer.parent] < most:
            children[offer.parent] += 1
            chosen[offer.run.blocks] = offer.run
    return list(chosen.values())


# The state of a process of the pool.
_database: endgame.Endgame
_beams: dict[int, Beam] = {}


def _begin(database: endgame.Endgame) -> None:
    global _database  # noqa: PLW0603 - a process has one
    # Only the parent process handles an interrupt; it ends the others, by SIGTERM if one of them is killed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _database = database


def _solve(task: tuple[Run, int, int]) -> list[_Offer]:
    """Return the best solutions of the next board of a run."""
    run, width, seed = task
    if width not in _beams:
        _beams.clear()
        _beams[width] = Beam(_database, width)
    beam, face = _beams[width], len(run.boards) % 2
    offers = []
    for solution in beam.solve(run.blocks, face, seed):
        after = _after(run, solution)
        cost = after.moves + _NEXT_WORTH * beam.estimate(solution.blocks, 1 - face)
        offers.append(_Offer(cost, run.blocks, after))
    return sorted(offers, key=lambda offer: offer.cost)[:_FROM_ONE_RUN]


def _after(run: Run, solution: Solution) -> Run:
    return Run(solution.blocks, (*run.boards, solution.forces), run.moves + len(solution.forces))
