"""Searches: what the processes of operators report, and reading that.

There is no route that reports: whoever may write to the database may.
"""

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import and_, delete, exists, func, select

from app.core.database.session import Database, reads_now
from app.core.ids import new_id
from app.core.realtime.bus import Bus
from app.nugget.solver import queries
from app.nugget.solver.decisions import RECENT, SILENT_AFTER, SearchState, step_of
from app.nugget.solver.events import SearchesChanged
from app.nugget.solver.models import NuggetSearch, NuggetSearchSample

if TYPE_CHECKING:
    from engine.search.nugget.progress import Progress

_KEPT = 20  # searches

# Longer than SILENT_AFTER, so that open pages also learn that a search has stopped.
_TOLD_FOR = SILENT_AFTER + timedelta(seconds=15)
HAS_NEWS = exists().where(NuggetSearch.reported_at > func.now() - _TOLD_FOR)
"""Whether a search reports, or has just stopped."""


class Searches:
    """The searches that were reported."""

    def __init__(self, database: Database) -> None:
        self._database = database

    all = reads_now(queries.searches)


async def begin(database: Database, boards: int, seconds: int) -> str:
    """Add a search, and return its id. Those that reported longest ago are deleted if there are many."""
    search = NuggetSearch(id=new_id(), boards=boards, seconds=seconds)
    latest = select(NuggetSearch.id).order_by(NuggetSearch.reported_at.desc()).limit(_KEPT)
    async with database.transaction() as session:
        session.add(search)
        await session.flush()
        await session.execute(delete(NuggetSearch).where(NuggetSearch.id.not_in(latest)))
    return search.id


async def report(database: Database, search_id: str, progress: "Progress", state: SearchState) -> None:
    """Store how far a search is, with a sample, and thin out its earlier ones. It may have been deleted."""
    async with database.transaction() as session:
        search = await session.get(NuggetSearch, search_id, with_for_update=True)
        if search is None:
            return
        cycle, path, position = progress.cycle, progress.path, progress.position
        search.reported_at = await session.scalar(select(func.now())) or search.reported_at
        search.reports += 1
        search.state, search.tried, search.board = state, progress.tried, progress.board
        search.path_boards, search.path_moves = (path.boards, path.moves) if path else (0, 0)
        search.cycle_first, search.cycle_last, search.cycle_boards, search.cycle_moves = (
            (cycle.first, cycle.last, cycle.boards, cycle.mean.moves) if cycle else (None, None, None, None)
        )
        search.blocks = bytes(position.cells) if position else None
        has_gone = and_(
            NuggetSearchSample.search_id == search_id,
            NuggetSearchSample.number % step_of(search.reports) != 0,
            NuggetSearchSample.number <= search.reports - RECENT,
        )
        await session.execute(delete(NuggetSearchSample).where(has_gone))
        session.add(
            NuggetSearchSample(
                search_id=search_id,
                number=search.reports,
                nodes=progress.nodes,
                solved=progress.solved,
                fewest=[*progress.fewest],
            )
        )


async def tell_watchers(bus: Bus) -> None:
    """Make open pages read again: a search reports, or has stopped."""
    bus.publish(SearchesChanged())
