"""The computer's help in a run: a good move, or the rest of the board. The run counts both."""

from app.core.errors import ConflictError
from app.core.i18n.text import _, ngettext
from app.core.jobs.queue import Asker, Queue
from app.nugget.runs import Runs, RunState, StaleRunError
from app.people.identity.devices import Person
from app.play.bots.fair_play import FairPlay
from engine.golden_nugget.board import MOVE_LIMIT
from engine.puzzles.rules import ONE_BOARD

SOLVE = "solve_board"
"""The kind of job that solves a board."""

_TIMEOUT = 55.0  # seconds; proxies wait for 60, and a new installation compiles the search first


class Assistance:
    """The computer's help in runs."""

    def __init__(self, runs: Runs, fair_play: FairPlay, queue: Queue) -> None:
        self._runs = runs
        self._fair_play = fair_play
        self._queue = queue

    async def hint(self, asker: Asker, person: Person, run_id: str, account_id: int) -> tuple[RunState, str]:
        """Return the run, with one more hint counted, and a good next force.

        Raise NotFoundError, StaleRunError if the run changes meanwhile, ConflictError `board_solved` or as
        `FairPlay.check_puzzles` does, TooManyJobsError, BusyError, FailedError.
        """
        state = await self._runs.get(run_id, account_id)
        forces = await self._solution(asker, person, state)
        return await self._runs.count_hint(run_id, account_id, forces, state.version), forces[0]

    async def finish(
        self, asker: Asker, person: Person, run_id: str, account_id: int, version: int
    ) -> RunState:
        """Solve the rest of the board and return the run, with one more finished board counted.

        Raise StaleRunError, ConflictError `too_many_moves`, and what `hint` raises.
        """
        state = await self._runs.get(run_id, account_id)
        if state.version != version:
            raise StaleRunError(state)
        forces = await self._solution(asker, person, state)
        if len(state.play.made) + len(forces) > MOVE_LIMIT:
            raise ConflictError(
                "too_many_moves",
                ngettext(
                    "A board has at most %(count)s move. Take some back and ask again.",
                    "A board has at most %(count)s moves. Take some back and ask again.",
                    MOVE_LIMIT,
                ),
            )
        return await self._runs.finish_board(run_id, account_id, forces, version)

    async def _solution(self, asker: Asker, person: Person, state: RunState) -> list[str]:
        """Return forces that solve the board in play."""
        if state.play.is_solved:
            raise ConflictError("board_solved", _("This board is solved. Turn the blocks to go on."))
        board = state.play.board
        await self._fair_play.check_puzzles(person, ONE_BOARD, [board])
        cells = bytes(board.cells)
        result = await self._queue.ask(
            SOLVE,
            f"{SOLVE}:{board.face}:{cells.hex()}",
            {"face": board.face, "cells": list(cells)},
            asker=asker,
            within=_TIMEOUT,
        )
        forces: list[str] = result["forces"]
        return forces
