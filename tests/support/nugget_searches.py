"""Reports of searches for short records of Golden Nugget."""

from dataclasses import replace

from app.nugget.solver import service
from app.nugget.solver.decisions import SearchState
from engine.golden_nugget.cycle import Cycle
from engine.golden_nugget.ranking import Mean
from engine.search.nugget.progress import Progress
from engine.search.nugget.runs import Run
from tests.support.database import on_database

FIRST = Progress(
    best=Run(boards=((), ()), moves=58),
    fewest=(),
    cycle=None,
    board=1,
    nodes=241,
    tried=3,
    solved=240,
    seconds=30.0,
)
WHOLE = replace(
    FIRST,
    best=Run(boards=((),) * 50, moves=646),
    fewest=(286, 646),
    cycle=Cycle(2, 50, 2, Mean(24, 2)),
    board=None,
    nodes=3_000,
    solved=2_999,
)


class Reporting:
    """Reports searches as the command does, but what a test says."""

    def __init__(self, database_url):
        self._database_url = database_url

    def begin(self, *reports, boards=50, state=SearchState.RUNNING):
        """Begin a search, report something of it, and return its id."""
        search_id = on_database(self._database_url, lambda database: service.begin(database, boards, 600))
        self.tell(search_id, *reports, state=state)
        return search_id

    def tell(self, search_id, *reports, state=SearchState.RUNNING):
        async def tell(database):
            for report in reports:
                await service.report(database, search_id, report, state)

        on_database(self._database_url, tell)
