"""The jobs of workers for Golden Nugget: solving boards, and entering the best known records."""

import asyncio
from collections.abc import Mapping
from datetime import date
from typing import Any

from app.core.database.session import Database
from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.core.jobs.worker import Job, Jobs
from app.core.realtime.bus import Bus
from app.core.settings import FILES
from app.nugget.accepting import RepeatedError
from app.nugget.assistance import SOLVE
from app.nugget.bounds.service import BOUND, bound_board
from app.nugget.daily.service import SOLVE_DAY, Daily
from app.nugget.entries import Entries
from app.people.identity import service as accounts
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import Board
from engine.golden_nugget.entry import verify_file
from engine.search.nugget.runs import NoSolutionError
from engine.search.nugget.solver import solve

RECORDS = sorted((FILES / "docs" / "samples").glob("golden-nugget-*-best.txt"))
"""The best known records of several lengths."""


async def solve_board(job: Job) -> Mapping[str, Any]:
    """Return the forces that solve a board; another attempt searches differently."""
    board = Board(Face(job.payload["face"]), tuple(job.payload["cells"]))
    try:
        forces = await asyncio.to_thread(solve, board, job.attempts)
    except NoSolutionError:
        return {"error": _("The computer found no way to solve this board from here. Take some moves back.")}
    return {"forces": forces}


async def solve_day(job: Job, daily: Daily) -> Mapping[str, Any]:
    """Solve the board of a day that has begun, and store the solution; see `solve_board`."""
    day = date.fromisoformat(job.payload["day"])
    board = (await daily.day(day)).board
    forces = await asyncio.to_thread(solve, board, job.attempts)
    await daily.days.keep_best(day, forces)
    return {"moves": len(forces)}


async def enter_records(database: Database, bus: Bus) -> int:
    """Submit and publish the records that ship with the server as entries of a computer player.

    Return how many were entered; none of them is entered twice.
    """
    async with database.reading_now() as session:
        best = accounts.identity_of(await accounts.solver(session))
    entries = Entries(database, bus)
    entered = 0
    for file in RECORDS:
        verdict = await asyncio.to_thread(verify_file, file.read_bytes())
        try:
            entry_id = (await entries.submit(best, verdict)).entry.id
            entered += 1
        except RepeatedError as repeated:
            entry_id = str(repeated.extra["entry_id"])  # a start may have been interrupted
        except ConflictError:
            continue
        await entries.publish(entry_id, best.id)
    return entered


JOBS: Jobs = {SOLVE: solve_board, SOLVE_DAY: solve_day, BOUND: bound_board}
