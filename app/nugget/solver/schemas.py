"""Searches as the JSON API shows them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Self

from pydantic import BaseModel

from app.core.web.shown import Id, Position, Shown, example
from app.nugget.schemas.entries import MeanShown
from app.nugget.solver.queries import SolverSearch
from engine.golden_nugget.ranking import Mean
from engine.puzzles.rules import ONE_BOARD


class SearchSampleShown(Shown):
    """What a search had at a moment."""

    at: datetime
    nodes: int
    solved: int
    means: list[MeanShown]


class SearchCycleShown(Shown):
    """The boards that a run repeats: so many, from its board `first` on, and their mean."""

    first: int
    boards: int
    mean: MeanShown


class SearchMeanShown(BaseModel):
    """A search's best mean, and the record over as many boards (null if there is none)."""

    best: MeanShown
    record: MeanShown | None
    is_better: bool

    @classmethod
    def of(cls, best: Mean, record: Mean | None) -> Self:
        """Return a mean beside the record."""
        return cls.model_validate(
            {"best": best, "record": record, "is_better": record is None or best < record},
            from_attributes=True,
        )


class SolverSearchShown(BaseModel):
    """A search for a record of `boards` boards, which takes about so many `seconds`.

    Its `state` is `running`, `finished`, or `stopped` after a minute without a report. The graph of positions
    has so many `nodes`, the boards of `tried` of which it has solved. `path` is its best run, null before the
    first board is solved, and `cycle` what that repeats. `board` is what it works at, which begins at
    `position`; both are null while it looks for cycles. `solved_per_minute` counts boards over its last three
    minutes. `samples` are older states of it, the earliest first.
    """

    id: Id
    state: Annotated[str, example("running")]
    boards: int
    seconds: int
    began_at: datetime
    reported_at: datetime
    nodes: int
    tried: int
    solved_per_minute: int
    path: MeanShown | None
    cycle: SearchCycleShown | None
    board: int | None
    position: Position | None
    means: list[SearchMeanShown]
    samples: list[SearchSampleShown]

    @classmethod
    def of(cls, search: SolverSearch, records: Mapping[int, Mean]) -> Self:
        """Return a search as the API shows it."""
        return cls(
            id=search.id,
            state=search.state,
            boards=search.boards,
            seconds=search.seconds,
            began_at=search.began_at,
            reported_at=search.reported_at,
            nodes=search.nodes,
            tried=search.tried,
            solved_per_minute=search.solved_per_minute,
            path=MeanShown.model_validate(search.path) if search.path else None,
            cycle=SearchCycleShown.model_validate(search.cycle) if search.cycle else None,
            board=search.board,
            position=ONE_BOARD.format(search.position) if search.position else None,
            means=[SearchMeanShown.of(best, records.get(best.boards)) for best in search.means],
            samples=[SearchSampleShown.model_validate(each) for each in search.samples],
        )
