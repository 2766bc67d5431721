"""What workers do for bounds."""

import asyncio
import importlib.util
import time
from collections.abc import Collection, Mapping
from typing import Any

import structlog

from app.core.database.session import Database
from app.core.jobs.queue import Queue
from app.core.jobs.worker import Job
from app.nugget.bounds.models import BoardBound
from app.nugget.bounds.queries import MOST_RUNS
from app.nugget.bounds.service import WITHOUT_SCIPY, ask
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

_WITHIN = 4.0  # seconds of a run; a computer's move waits for its end


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
        await ask(queue, node, run + 1)
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
