"""Searches as everybody sees them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import readable
from app.core.moments import utc_now
from app.core.web.shown import AS_TEXT, Id, Position, ShownAs, example
from app.nugget.means import ShownMean
from app.nugget.records.reading import best_means
from app.nugget.solver.decisions import LATELY, SearchState, per_minute, state_at
from app.nugget.solver.models import NuggetSearch, NuggetSearchSample
from engine.golden_nugget.blocks import Face
from engine.golden_nugget.board import Board
from engine.golden_nugget.ranking import Mean, means_of
from engine.puzzles.rules import ONE_BOARD


@dataclass(frozen=True, slots=True)
class SearchSampleShown:
    """What a search had at a moment."""

    at: datetime
    nodes: int
    solved: int
    means: Sequence[ShownMean]


@dataclass(frozen=True, slots=True)
class SearchCycleShown:
    """The boards that a run repeats: so many, from its board `first` on, and their mean."""

    first: int
    boards: int
    mean: ShownMean


@dataclass(frozen=True, slots=True)
class SearchMeanShown:
    """A search's best mean, and the record over as many boards (null if there is none)."""

    best: ShownMean
    record: ShownMean | None
    is_better: bool


@dataclass(frozen=True, slots=True)
class SolverSearchShown:
    """A search for a record of `boards` boards, which takes about so many `seconds`.

    Its `state` is `running`, `finished`, or `stopped` after a minute without a report. The graph of positions
    has so many `nodes`, the boards of `tried` of which it has solved. `path` is its best run, null before the
    first board is solved, and `cycle` what that repeats. `board` is what it works at, which begins at
    `position`; both are null while it looks for cycles. `solved_per_minute` counts boards over its last three
    minutes. `samples` are older states of it, the earliest first.
    """

    id: Id
    state: Annotated[SearchState, AS_TEXT, example("running")]
    boards: int
    seconds: int
    began_at: datetime
    reported_at: datetime
    nodes: int
    tried: int
    solved_per_minute: int
    path: ShownMean | None
    cycle: SearchCycleShown | None
    board: int | None
    position: Annotated[Board, ShownAs(Position, ONE_BOARD.format)] | None
    means: Sequence[SearchMeanShown]
    samples: Sequence[SearchSampleShown]

    @property
    def is_running(self) -> bool:
        """Return whether the search goes on."""
        return self.state is SearchState.RUNNING

    @property
    def ends_at(self) -> datetime:
        """Return when the time of the search is over."""
        return self.began_at + timedelta(seconds=self.seconds)


async def searches(session: AsyncSession) -> Sequence[SolverSearchShown]:
    """Return all searches, those that began last first."""
    stored = (await session.scalars(select(NuggetSearch).order_by(NuggetSearch.began_at.desc()))).all()
    by_number = select(NuggetSearchSample).order_by(NuggetSearchSample.search_id, NuggetSearchSample.number)
    samples = defaultdict(list)
    for search_id, sample in readable(_sample, await session.scalars(by_number)):
        samples[search_id].append(sample)
    records = await best_means(session)
    return readable(_search, [(each, samples[each.id], records) for each in stored])


def solved_per_minute(began_at: datetime, samples: Sequence[SearchSampleShown]) -> int:
    """Return how many boards a search has solved in a minute, LATELY."""
    if not samples:
        return 0
    *before, last = samples
    earlier = [(began_at, 0), *((sample.at, sample.solved) for sample in before)]
    at, solved = next((each for each in earlier if each[0] >= last.at - LATELY), earlier[-1])
    return per_minute(last.solved - solved, (last.at - at).total_seconds())


def _sample(stored: NuggetSearchSample) -> tuple[str, SearchSampleShown]:
    means = means_of(stored.fewest)
    return stored.search_id, SearchSampleShown(stored.at, stored.nodes, stored.solved, means)


def _search(
    stored: NuggetSearch, samples: Sequence[SearchSampleShown], records: Mapping[int, Mean]
) -> SolverSearchShown:
    means = samples[-1].means if samples else ()
    return SolverSearchShown(
        id=stored.id,
        state=state_at(utc_now(), SearchState(stored.state), stored.reported_at),
        boards=stored.boards,
        seconds=stored.seconds,
        began_at=stored.began_at,
        reported_at=stored.reported_at,
        nodes=samples[-1].nodes if samples else 1,
        tried=stored.tried,
        solved_per_minute=solved_per_minute(stored.began_at, samples),
        path=Mean(stored.path_moves, stored.path_boards) if stored.path_boards else None,
        cycle=_cycle(stored),
        board=stored.board,
        position=_position(stored),
        means=[_beside(mean, records.get(mean.boards)) for mean in means],
        samples=samples,
    )


def _beside(best: Mean, record: Mean | None) -> SearchMeanShown:
    return SearchMeanShown(best, record, record is None or best < record)


def _cycle(stored: NuggetSearch) -> SearchCycleShown | None:
    match stored.cycle_first, stored.cycle_last, stored.cycle_boards, stored.cycle_moves:
        case int(first), int(), int(boards), int(moves):
            return SearchCycleShown(first, boards, Mean(moves, boards))
    return None


def _position(stored: NuggetSearch) -> Board | None:
    if stored.board is None or stored.blocks is None:
        return None
    return Board(Face.A if stored.board % 2 else Face.B, tuple(stored.blocks))
