"""Runs of Golden Nugget: boards solved one after the other, by the indices of forces."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.golden_nugget.board import START
from engine.golden_nugget.entry import verify_file
from engine.golden_nugget.record import Record, RecordedBoard
from engine.search.nugget import kernels
from engine.search.nugget.tables import COLOURS_OF, FORCE_NAMES, LINES


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


def after(run: Run, forces: Iterable[int]) -> Run:
    """Return a run with one more board, solved by these forces."""
    forces = tuple(forces)
    blocks = np.frombuffer(bytearray(run.blocks), np.uint8)
    colours = COLOURS_OF[len(run.boards) % 2][blocks]
    for force in forces:
        kernels.push(blocks, colours, LINES[force])
    return Run(blocks.tobytes(), (*run.boards, forces), run.moves + len(forces))


def resumed(data: bytes) -> Run:
    """Return the run of a record file, of any length. Raise ValueError if the record has problems."""
    verdict = verify_file(data)
    for problem in verdict.problems:
        if problem.code != "too_few_boards":
            where = f" (board {problem.board}, move {problem.move})" if problem.move else ""
            raise ValueError(f"The record cannot be continued: {problem.message}{where}")
    run = Run()
    for recorded in verdict.record.boards:
        run = after(run, (FORCE_NAMES.index(move[:1].upper()) for move in recorded.moves))
    return run
