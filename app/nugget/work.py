"""The jobs of workers for Golden Nugget: solving boards, and entering the best known record."""

import asyncio
from collections.abc import Mapping
from typing import Any

import structlog

from app.core.database.session import Database
from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.core.jobs.worker import Job, Jobs
from app.core.realtime.bus import Bus
from app.core.settings import ROOT
from app.nugget.assistance import SOLVE
from app.nugget.entries import Entries
from app.people.identity import service as accounts
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import Board
from engine.golden_nugget.entry import verify_file
from engine.search.nugget.runs import NoSolutionError
from engine.search.nugget.solver import solve

log = structlog.get_logger()

RECORD = ROOT / "docs" / "samples" / "golden-nugget-200.txt"


async def solve_board(job: Job) -> Mapping[str, Any]:
    """Return the forces that solve a board; another attempt searches differently."""
    board = Board(Face(job.payload["face"]), tuple(job.payload["cells"]))
    try:
        forces = await asyncio.to_thread(solve, board, job.attempts)
    except NoSolutionError:
        return {"error": _("The computer found no way to solve this board from here. Take some moves back.")}
    return {"forces": forces}


async def enter_record(database: Database, bus: Bus) -> bool:
    """Submit and publish the record that ships with the server as an entry of the strongest computer player.

    Return whether it was entered, which it is not if that player has an entry already.
    """
    if not RECORD.is_file():
        log.warning("record_missing", path=str(RECORD))
        return False
    async with database.reading_now() as session:
        best = (await accounts.computers(session))[-1]
    entries = Entries(database, bus)
    _, submitted = await entries.of_player(best.username, best.id, "", 1)
    if submitted.rows and submitted.rows[0].published_at:
        return False
    if submitted.rows:
        entry_id = submitted.rows[0].id  # a start that was interrupted
    else:
        verdict = await asyncio.to_thread(verify_file, RECORD.read_bytes())
        try:
            entry_id = (await entries.submit(accounts.identity_of_computer(best), verdict)).entry.id
        except ConflictError:
            return False
    await entries.publish(entry_id, best.id)
    return True


JOBS: Jobs = {SOLVE: solve_board}
