"""Reporting a search to the database, for everybody to watch."""

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from app.core.database.session import DATABASE_ERRORS, Database
from app.core.errors import OperatorError
from app.nugget.solver import service
from app.nugget.solver.decisions import SearchState
from app.server.cli.shared import database_url, read_settings

if TYPE_CHECKING:
    from engine.search.nugget.progress import Progress

T = TypeVar("T")

_WITHIN = 5  # seconds, in which the search waits for the database


@contextlib.contextmanager
def reporting(
    data: Path | None, boards: int, seconds: float
) -> "Iterator[Callable[[Progress, SearchState], None]]":
    """Yield what reports a search. Fail if there is no database; later the search goes on without it."""
    with database_url(read_settings(), data) as url:
        search_id = _run(url, lambda database: service.begin(database, boards, round(seconds)))
        is_away = False

        def report(progress: "Progress", state: SearchState) -> None:
            nonlocal is_away
            try:
                _run(url, lambda database: service.report(database, search_id, progress, state))
            except (TimeoutError, OperatorError, *DATABASE_ERRORS):  # hours of work are not lost for that
                if not is_away:
                    print("The search cannot be reported just now; it goes on.", file=sys.stderr, flush=True)
                is_away = True
            else:
                is_away = False

        yield report


def _run(url: str, work: Callable[[Database], Awaitable[T]]) -> T:
    """Return what a function does with the database, on connections of its own.

    The search makes processes meanwhile, to which an open connection would be copied.
    """

    async def run() -> T:
        async with asyncio.timeout(_WITHIN):
            database = await Database.open(url, pool_size=1, role="solve")
            try:
                return await work(database)
            finally:
                await database.close()

    return asyncio.run(run())
