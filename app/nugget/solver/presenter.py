"""What the page of searches shows, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any, Final

from markupsafe import Markup

from app.core.i18n.formats import moment_in
from app.core.i18n.languages import current
from app.core.i18n.text import Text, _
from app.core.moments import from_datetime
from app.nugget.drawing import draw_still, stair
from app.nugget.solver.decisions import SearchState
from app.nugget.solver.queries import SolverSearch
from engine.golden_nugget.ranking import Mean

_STATES: Final[Mapping[SearchState, Text]] = {
    SearchState.RUNNING: _("running"),
    SearchState.FINISHED: _("finished"),
    SearchState.STOPPED: _("stopped"),
}


@dataclass(frozen=True, slots=True)
class MeanView:
    """The best mean of a search over some boards, beside the record."""

    best: Mean
    record: Mean | None

    @property
    def fewer(self) -> int:
        """Return how many moves fewer than the record these are."""
        return self.record.moves - self.best.moves if self.record else 0


@dataclass(frozen=True, slots=True)
class SolverSearchView:
    """A search in full, with how its mean over most boards fell. It ends at `deadline` (milliseconds)."""

    search: SolverSearch
    state: Text
    deadline: int
    drawing: Markup | None
    means: Sequence[MeanView]
    chart: Markup


@dataclass(frozen=True, slots=True)
class _MeanAt:
    at: datetime
    mean: Mean


def searches_context(searches: Sequence[SolverSearch], records: Mapping[int, Mean]) -> dict[str, Any]:
    """Return the searches as the template shows them: those that run in full, or else the last one."""
    running = [search for search in searches if search.is_running]
    shown = running or searches[:1]
    return {
        "is_any_running": bool(running),
        "searches": [_view(search, records) for search in shown],
        "earlier": [(search, _STATES[search.state]) for search in searches if search not in shown],
    }


def _view(search: SolverSearch, records: Mapping[int, Mean]) -> SolverSearchView:
    return SolverSearchView(
        search,
        _STATES[search.state],
        from_datetime(search.began_at + timedelta(seconds=search.seconds)),
        draw_still(search.position) if search.position else None,
        [MeanView(best, records.get(best.boards)) for best in search.means],
        _chart(search, search.means[-1].boards) if search.means else Markup(""),
    )


def _chart(search: SolverSearch, boards: int) -> Markup:
    """Draw how the best mean over so many boards fell since the search had one."""
    means = [
        _MeanAt(sample.at, mean)
        for sample in search.samples
        for mean in sample.means
        if mean.boards == boards
    ]
    fell = [means[0], *(after for before, after in pairwise(means) if after.mean < before.mean)]
    return stair([*fell, means[-1]], fell, partial(moment_in, current()))
