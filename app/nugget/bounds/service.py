"""Proving bounds in the background: board by board, a few seconds at a time, so that nothing waits for it."""

import asyncio
import importlib.util
import time
from collections.abc import Collection, Mapping
from typing import Any

import structlog
from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.jobs.queue import Priority, Queue, Task
from app.core.jobs.worker import Job
from app.nugget.bounds import queries
from app.nugget.bounds.models import BoardBound
from app.nugget.bounds.queries import MOST_RUNS
from engine.golden_nugget.board import Board, parse
from engine.golden_nugget.bounds import (
    LAYOUTS,
    Certificate,
    cells_of,
    heights_of,
    least_moves,
    to_text,
    verify,
    words_of,
)

log = structlog.get_logger()

BOUND = Task("bound_board")
"""The kind of job that goes on with the bound of a board."""

WITHOUT_SCIPY = "bounds_without_scipy"
"""The key under which a worker without SciPy notes that it cannot prove anything."""

_WITHIN = 4.0  # seconds of a run; a computer's move waits for its end


async def _ask(queue: Queue, node: int, run: int) -> None:
    """Ask workers to go on with the bound of a node, for the `run`-th time from 0, unless they were asked."""
    await queue.add(BOUND, {f"{BOUND}:{node}:{run}": {"node": node, "run": run}}, priority=Priority.IDLE)


async def bound_boards(database: Database, queue: Queue) -> None:
    """Ask workers for the bound of one board of the best records, if one is missing."""
    async with database.transaction() as session:
        begun = await queries.next_run(session)
        if begun is None and (missing := await queries.missing(session)):
            await session.execute(insert(BoardBound).values(missing).on_conflict_do_nothing())
            begun = await queries.next_run(session)
    if begun is not None:
        await _ask(queue, *begun)


async def bound_board(job: Job, database: Database, queue: Queue) -> Mapping[str, Any]:
    """Find heights for some more layouts of a board; with the last ones, store the certificate."""
    if importlib.util.find_spec("scipy") is None:
        log.info("bounds_need_scipy", advice="Install the extra `bounds` to prove lower bounds.")
        await queue.store_result(WITHOUT_SCIPY, {})
        return {}
    node, run = job.payload["node"], job.payload["run"]
    async with database.transaction() as session:
        stored = await session.get(BoardBound, node, with_for_update=True)
        if stored is None or stored.bound is not None or stored.runs != run:
            return {}  # it was asked for twice, or is tried again
        stored.runs = run + 1  # if this worker is killed, it was a run, too
        board = parse(stored.position)
        heights = dict(stored.heights)
    heights |= await asyncio.to_thread(_more_heights, board, heights.keys())
    certificate = (
        await asyncio.to_thread(_certificate, board, heights) if len(heights) == len(LAYOUTS) else None
    )
    async with database.transaction() as session:
        stored = await session.get_one(BoardBound, node, with_for_update=True)
        stored.heights = {**stored.heights, **heights}
        if certificate is not None:
            stored.bound, stored.certificate, stored.heights = certificate.bound, to_text(certificate), {}
    if certificate is None and run + 1 < MOST_RUNS:
        await _ask(queue, node, run + 1)
    return {}


def _more_heights(board: Board, known: Collection[str]) -> dict[str, str]:
    """Return heights for some layouts without any, as a certificate has them."""
    from engine.search.nugget.bounds import best_heights  # noqa: PLC0415 - SciPy, which is an extra

    found: dict[str, str] = {}
    end = time.monotonic() + _WITHIN
    for name, layout in LAYOUTS.items():
        if time.monotonic() > end:
            break
        if name not in known:
            found[name] = words_of(best_heights(cells_of(board), layout))
    return found


def _certificate(board: Board, heights: Mapping[str, str]) -> Certificate:
    """Return the certificate of the greatest bound that heights prove, which was checked in integers."""
    tables = {name: (heights_of(words),) for name, words in heights.items()}
    cells = cells_of(board)
    bound = min(least_moves(tables[name][0], cells, layout) for name, layout in LAYOUTS.items())
    certificate = Certificate(board, bound, tables)
    verdict = verify(to_text(certificate).encode(), None)
    if not verdict.valid:
        raise ValueError(f"This certificate proves nothing: {verdict.errors}")
    return certificate
