"""What the page of searches shows, as plain values."""

from collections.abc import Mapping, Sequence
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
from app.nugget.solver.queries import SolverSearchShown

_STATES: Final[Mapping[SearchState, Text]] = {
    SearchState.RUNNING: _("running"),
    SearchState.FINISHED: _("finished"),
    SearchState.STOPPED: _("stopped"),
}


def searches_context(searches: Sequence[SolverSearchShown]) -> dict[str, Any]:
    """Return the searches as the template shows them: those that run in full, or else the last one."""
    running = [search for search in searches if search.is_running]
    shown = running or searches[:1]
    return {
        "is_any_running": bool(running),
        "searches": shown,
        "earlier": [search for search in searches if search not in shown],
        "states": _STATES,
        "milliseconds": from_datetime,
        "draw": draw_still,
        "chart": _chart,
    }


def _chart(search: SolverSearchShown) -> Markup:
    """Draw how the best mean over most boards fell since the search had one."""
    boards = search.means[-1].best.boards
    means = [(sample.at, mean) for sample in search.samples for mean in sample.means if mean.boards == boards]
    fell = [means[0], *(after for before, after in pairwise(means) if after[1] < before[1])]
    return stair([*fell, means[-1]], fell, partial(moment_in, current()))
