"""Proving bounds in the background: board by board, a few seconds at a time, so that nothing waits for it."""

from sqlalchemy.dialects.postgresql import insert

from app.core.database.session import Database
from app.core.jobs.queue import Priority, Queue, Task
from app.nugget.bounds import queries
from app.nugget.bounds.models import BoardBound

BOUND = Task("bound_board")
"""The kind of job that goes on with the bound of a board."""

WITHOUT_SCIPY = "bounds_without_scipy"
"""The key under which a worker without SciPy notes that it cannot prove anything."""


async def ask(queue: Queue, node: int, run: int) -> None:
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
        await ask(queue, *begun)
