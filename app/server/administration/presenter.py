"""Small charts of the last day, for administrators."""

from collections.abc import Callable, Sequence
from datetime import datetime

from markupsafe import Markup

from app.core.i18n.text import Text, _
from app.core.web.charts import lines
from app.server.operations.models import FigureSample

_CHARTS: Sequence[tuple[Text, Callable[[FigureSample], float | None]]] = (
    (_("Games under way"), lambda sample: sample.games),
    (_("Moves in the last minute"), lambda sample: sample.moves),
    (_("Open pages"), lambda sample: sample.connections),
    (_("Jobs that wait"), lambda sample: sample.jobs),
    (_("Database in MB"), lambda sample: sample.database_bytes / 1_000_000),
)


def charts_of(samples: Sequence[FigureSample]) -> Sequence[tuple[Text, Markup, float, float]]:
    """Return a chart of each figure with its title, smallest and largest value; none of a single sample."""
    if len(samples) < 2:
        return []
    ends = _time(samples[0].at), _time(samples[-1].at)
    shown = []
    for title, figure in _CHARTS:
        values = [value for sample in samples if (value := figure(sample)) is not None]
        if values:
            shown.append((title, lines(title, [values], ends), min(values), max(values)))
    return shown


def _time(moment: datetime) -> str:
    return f"{moment:%H:%M} UTC"
