"""Many runs of Golden Nugget side by side, board after board, and the best of them kept.

A run is as good as its moves so far and what its last board leaves for the next one.
"""

import multiprocessing
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from engine.golden_nugget.board import START, push, turn
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.record import Record, RecordedBoard
from engine.search.nugget import endgame
from engine.search.nugget.beam import Beam, Solution
from engine.search.nugget.tables import FORCE_NAMES

WIDTH = 500
"""Boards that a beam keeps after each move, where there is little time."""

_NEXT_WORTH = 0.7  # moves of the next board for each one of its estimate
_FROM_ONE_RUN = 40  # solutions that one run offers
_SHARE = 4  # at most one in so many runs may stem from one run, so that they stay different
_MOST_RUNS = 60  # with more time than they need, the beams grow wider instead
_WIDEST = 20_000
_QUICK = 120  # seconds; with less, the shallower database is enough


class NoSolutionError(Exception):
    """No run could be solved further; a wider beam or another seed may."""


@dataclass(frozen=True, slots=True)
class Run:
    """Boards solved so far: the forces of each by number, and the 49 blocks as they lie (bytes)."""

    blocks: bytes = bytes(START.cells)
    boards: tuple[tuple[int, ...], ...] = ()
    moves: int = 0

    @property
    def record(self) -> Record:
        """Give the record of the run."""
        names = (tuple(FORCE_NAMES[force] for force in forces) for forces in self.boards)
        return Record(tuple(RecordedBoard(moves) for moves in names))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the search is: the best run, and how many runs and how wide beams it goes on with."""

    best: Run
    runs: int
    width: int

    @property
    def mean(self) -> float:
        """Give the mean moves of the best run."""
        return self.best.moves / len(self.best.boards)


def resumed(data: bytes) -> Run:
    """Give the run that a record file tells of, however short. Raises ValueError for a file with problems."""
    verdict = verify_file(data)
    for problem in verdict.problems:
        if problem.code != "too_few_boards":
            where = f" (board {problem.board}, move {problem.move})" if problem.move else ""
            raise ValueError(f"The record cannot be gone on from: {problem.message}{where}")
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


def search(start: Run, boards: int, seconds: float, seed: int, jobs: int) -> Iterator[Progress]:
    """Solve board after board from a run on until it has so many, telling how far it is after each.

    Takes about so many seconds on `jobs` processes, on each of which a core is to be had. Raises
    NoSolutionError.
    """
    until = time.monotonic() + seconds
    database = endgame.build(endgame.DEEPEST if seconds >= _QUICK else endgame.DEEPEST - 1)
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork" if "fork" in methods else None)
    with ProcessPoolExecutor(jobs, context, _begin, (database,)) as pool:
        pace = _pace(pool, start, seed, jobs)
        runs = [start]
        for board in range(len(start.boards), boards):
            # As many beams of the usual width as there is time for, spread over the runs that there are.
            affordable = max(0.0, until - time.monotonic()) / (boards - board) / pace
            share = affordable / len(runs) * min(1, len(runs) / jobs)
            width = max(WIDTH, min(_WIDEST, int(WIDTH * share)))
            began = time.monotonic()
            tasks = [(run, width, seed + 1_000 * board + place) for place, run in enumerate(runs)]
            offers = [offer for found in pool.map(_solve, tasks) for offer in found]
            if not offers:
                raise NoSolutionError
            if len(runs) >= jobs:
                pace = (time.monotonic() - began) / len(runs) * WIDTH / width
            runs = _best(offers, max(1, min(_MOST_RUNS, int(affordable))))
            yield Progress(min(runs, key=lambda run: run.moves), len(runs), width)


def _pace(pool: ProcessPoolExecutor, start: Run, seed: int, jobs: int) -> float:
    """Give the seconds that a beam of the usual width takes when all processes work, once they are warm."""
    began = 0.0
    for _ in range(2):
        began = time.monotonic()
        list(pool.map(_solve, [(start, WIDTH, seed)] * jobs))
    return (time.monotonic() - began) / jobs


@dataclass(frozen=True, slots=True)
class _Offer:
    """A run that was solved one board further, by its parent, and what it is worth (moves)."""

    worth: float
    parent: bytes
    run: Run


def _best(offers: Sequence[_Offer], number: int) -> list[Run]:
    """Give the best runs, of which not too many have the same parent, and no two the same board."""
    most = max(2, number // _SHARE) if len({offer.parent for offer in offers}) > 1 else number
    children: Counter[bytes] = Counter()
    chosen: dict[bytes, Run] = {}
    for offer in sorted(offers, key=lambda offer: offer.worth):
        if len(chosen) == number:
            break
        if offer.run.blocks not in chosen and children[offer.parent] < most:
            children[offer.parent] += 1
            chosen[offer.run.blocks] = offer.run
    return list(chosen.values())


# What a process of the pool works with.
_database: endgame.Endgame
_beams: dict[int, Beam] = {}


def _begin(database: endgame.Endgame) -> None:
    global _database  # noqa: PLW0603 - a process has one
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who stops the search stops it in one place
    _database = database


def _solve(task: tuple[Run, int, int]) -> list[_Offer]:
    """Solve a run's next board and give the best of what it leads to."""
    run, width, seed = task
    if width not in _beams:
        _beams.clear()
        _beams[width] = Beam(_database, width)
    beam, face = _beams[width], len(run.boards) % 2
    offers = []
    for solution in beam.solve(run.blocks, face, seed):
        after = _after(run, solution)
        worth = after.moves + _NEXT_WORTH * beam.estimate(solution.blocks, 1 - face)
        offers.append(_Offer(worth, run.blocks, after))
    return sorted(offers, key=lambda offer: offer.worth)[:_FROM_ONE_RUN]


def _after(run: Run, solution: Solution) -> Run:
    return Run(solution.blocks, (*run.boards, solution.forces), run.moves + len(solution.forces))
