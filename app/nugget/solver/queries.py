"""Searches as everybody sees them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import readable
from app.core.moments import utc_now
from app.nugget.solver.decisions import LATELY, SearchState, per_minute, state_at
from app.nugget.solver.models import NuggetSearch, NuggetSearchSample
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import Board
from engine.golden_nugget.cycle import Cycle
from engine.golden_nugget.ranking import Mean, means_of


@dataclass(frozen=True, slots=True)
class Sample:
    """What a search had at a moment: its nodes, boards it has solved, and best means over LENGTHS boards."""

    at: datetime
    nodes: int
    solved: int
    means: Sequence[Mean]


@dataclass(frozen=True, slots=True)
class SolverSearch:
    """A search for a record of so many boards within so many seconds; `samples` begin with the earliest.

    `path` is its best run, and `cycle` that of this run. `board` is the number of the board that is solved or
    improved, and `position` its begin; None while the search looks for cycles.
    """

    id: str
    state: SearchState
    boards: int
    seconds: int
    began_at: datetime
    reported_at: datetime
    tried: int
    path: Mean | None
    cycle: Cycle | None
    board: int | None
    position: Board | None
    samples: Sequence[Sample]

    @property
    def is_running(self) -> bool:
        """Return whether the search goes on."""
        return self.state is SearchState.RUNNING

    @property
    def nodes(self) -> int:
        """Return the number of nodes of the graph."""
        return self.samples[-1].nodes if self.samples else 1

    @property
    def means(self) -> Sequence[Mean]:
        """Return the best means over LENGTHS boards, as far as there are so many."""
        return self.samples[-1].means if self.samples else ()

    @property
    def solved_per_minute(self) -> int:
        """Return how many boards the search has solved in a minute, over its last minutes."""
        if not self.samples:
            return 0
        *samples, last = self.samples
        earlier = [(self.began_at, 0), *((sample.at, sample.solved) for sample in samples)]
        at, solved = next((each for each in earlier if each[0] >= last.at - LATELY), earlier[-1])
        return per_minute(last.solved - solved, (last.at - at).total_seconds())


async def searches(session: AsyncSession) -> Sequence[SolverSearch]:
    """Return all searches, those that began last first."""
    stored = (await session.scalars(select(NuggetSearch).order_by(NuggetSearch.began_at.desc()))).all()
    by_number = select(NuggetSearchSample).order_by(NuggetSearchSample.search_id, NuggetSearchSample.number)
    samples = defaultdict(list)
    for search_id, sample in readable(_sample, await session.scalars(by_number)):
        samples[search_id].append(sample)
    return readable(_search, [(each, samples[each.id]) for each in stored])


def _sample(stored: NuggetSearchSample) -> tuple[str, Sample]:
    return stored.search_id, Sample(stored.at, stored.nodes, stored.solved, means_of(stored.fewest))


def _search(stored: NuggetSearch, samples: Sequence[Sample]) -> SolverSearch:
    return SolverSearch(
        id=stored.id,
        state=state_at(utc_now(), SearchState(stored.state), stored.reported_at),
        boards=stored.boards,
        seconds=stored.seconds,
        began_at=stored.began_at,
        reported_at=stored.reported_at,
        tried=stored.tried,
        path=Mean(stored.path_moves, stored.path_boards) if stored.path_boards else None,
        cycle=_cycle(stored),
        board=stored.board,
        position=_position(stored),
        samples=samples,
    )


def _cycle(stored: NuggetSearch) -> Cycle | None:
    match stored.cycle_first, stored.cycle_last, stored.cycle_boards, stored.cycle_moves:
        case int(first), int(last), int(boards), int(moves):
            return Cycle(first, last, boards, Mean(moves, boards))
    return None


def _position(stored: NuggetSearch) -> Board | None:
    if stored.board is None or stored.blocks is None:
        return None
    return Board(Face.A if stored.board % 2 else Face.B, tuple(stored.blocks))
