"""Searches: what the processes of operators report, and reading that.

There is no route that reports: whoever may write to the database may.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import and_, delete, exists, func, select

from app.core.database.session import Database
from app.core.database.statements import DirectStatement
from app.core.ids import new_id
from app.core.realtime.bus import Bus
from app.nugget.records.keeping import EVERYBODY
from app.nugget.records.reading import Records
from app.nugget.solver import queries
from app.nugget.solver.decisions import RECENT, SILENT_AFTER, SearchState, step_of
from app.nugget.solver.events import SearchesChanged
from app.nugget.solver.models import NuggetSearch, NuggetSearchSample
from app.nugget.solver.queries import SolverSearch
from engine.golden_nugget.board import MAX_BOARDS, Board
from engine.golden_nugget.cycle import Cycle
from engine.golden_nugget.ranking import Mean

_KEPT = 20  # searches

# Longer than SILENT_AFTER, so that open pages also learn that a search has stopped.
_TOLD_FOR = SILENT_AFTER + timedelta(seconds=15)
_HAS_NEWS = DirectStatement(select(exists().where(NuggetSearch.reported_at > func.now() - _TOLD_FOR)))


@dataclass(frozen=True, slots=True)
class SolverReport:
    """What a search says of itself; the members are those of `queries.SolverSearch` and `queries.Sample`."""

    state: SearchState
    nodes: int
    tried: int
    solved: int
    path: Mean | None
    cycle: Cycle | None
    board: int | None
    position: Board | None
    fewest: Sequence[int]


class Searches:
    """The searches that were reported."""

    def __init__(self, database: Database, records: Records) -> None:
        self._database = database
        self._records = records

    async def all(self) -> Sequence[SolverSearch]:
        """Return the searches that are kept, those that began last first."""
        async with self._database.reading_now() as session:
            return await queries.searches(session)

    async def records(self) -> Mapping[int, Mean]:
        """Return the records of everybody over the first boards, by their number."""
        table = await self._records.table(EVERYBODY, MAX_BOARDS)
        return {record.number: record.mean for record in table.means}


async def begin(database: Database, boards: int, seconds: int) -> str:
    """Add a search, and return its id. Those that reported longest ago are deleted if there are many."""
    search = NuggetSearch(id=new_id(), boards=boards, seconds=seconds)
    latest = select(NuggetSearch.id).order_by(NuggetSearch.reported_at.desc()).limit(_KEPT)
    async with database.transaction() as session:
        session.add(search)
        await session.flush()
        await session.execute(delete(NuggetSearch).where(NuggetSearch.id.not_in(latest)))
    return search.id


async def report(database: Database, search_id: str, report: SolverReport) -> None:
    """Store how far a search is, with a sample, and thin out its earlier ones. It may have been deleted."""
    async with database.transaction() as session:
        search = await session.get(NuggetSearch, search_id, with_for_update=True)
        if search is None:
            return
        cycle, path = report.cycle, report.path
        search.reported_at = await session.scalar(select(func.now())) or search.reported_at
        search.reports += 1
        search.state, search.tried, search.board = report.state, report.tried, report.board
        search.path_boards, search.path_moves = (path.boards, path.moves) if path else (0, 0)
        search.cycle_first, search.cycle_last, search.cycle_boards, search.cycle_moves = (
            (cycle.first, cycle.last, cycle.boards, cycle.mean.moves) if cycle else (None, None, None, None)
        )
        search.blocks = bytes(report.position.cells) if report.position else None
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
                nodes=report.nodes,
                solved=report.solved,
                fewest=[*report.fewest],
            )
        )


async def tell_watchers(database: Database, bus: Bus) -> None:
    """Make open pages read again while a search reports, and once it has stopped."""
    if await _HAS_NEWS.is_true(database.pool):
        bus.publish(SearchesChanged())
