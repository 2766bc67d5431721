"""The computer's help in a run: a good move, or the rest of the board. The run counts both."""

from app.database.session import Database
from app.errors import ConflictError
from app.jobs.queue import Queue
from app.nugget import runs
from app.nugget.runs import RunState, StaleRunError
from engine.golden_nugget.board import MOVE_LIMIT

SOLVE = "solve_board"
"""The kind of job that solves a board."""

_TIMEOUT = 15.0  # seconds


async def hint(database: Database, queue: Queue, run_id: str, account_id: int) -> tuple[RunState, str]:
    """Return the run, which counts one more hint now, and a force that is a good next move.

    Raise NotFoundError, ConflictError `board_solved`, BusyError, FailedError.
    """
    async with database.transaction() as session:
        state = await runs.get(session, run_id, account_id)
    forces = await _solution(queue, state)
    async with database.transaction() as session:
        return await runs.count_hint(session, run_id, account_id), forces[0]


async def finish(database: Database, queue: Queue, run_id: str, account_id: int, version: int) -> RunState:
    """Solve the rest of the board and return the run, which counts one more board finished by the computer.

    Raise NotFoundError, StaleRunError, ConflictError `board_solved`, `too_many_moves`, BusyError,
    FailedError.
    """
    async with database.transaction() as session:
        state = await runs.get(session, run_id, account_id)
    if state.version != version:
        raise StaleRunError(state)
    forces = await _solution(queue, state)
    if len(state.play.made) + len(forces) > MOVE_LIMIT:
        raise ConflictError(
            "too_many_moves", f"A board has at most {MOVE_LIMIT} moves. Take some back and ask again."
        )
    async with database.transaction() as session:
        return await runs.finish(session, run_id, account_id, forces, version)


async def _solution(queue: Queue, state: RunState) -> list[str]:
    """Return the forces that solve the rest of the board."""
    if state.play.is_solved:
        raise ConflictError("board_solved", "This board is solved. Turn the blocks to go on.")
    board = state.play.board
    cells = bytes(board.cells)
    result = await queue.ask(
        SOLVE,
        f"{SOLVE}:{board.face}:{cells.hex()}",
        {"face": board.face, "cells": list(cells)},
        within=_TIMEOUT,
    )
    forces: list[str] = result["forces"]
    return forces
