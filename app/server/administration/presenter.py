"""What administrators see: small charts of the last day, and the schedules by what they are for."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from markupsafe import Markup

from app.core.i18n.text import Text, _
from app.core.web.charts import lines
from app.server.features import FEATURES
from app.server.operations.models import FigureSample
from app.server.operations.schedules import ScheduleState

_CHARTS: Sequence[tuple[Text, Callable[[FigureSample], float | None]]] = (
    (_("Games under way"), lambda sample: sample.games),
    (_("Moves in the last minute"), lambda sample: sample.moves),
    (_("Open pages"), lambda sample: sample.connections),
    (_("Jobs waiting"), lambda sample: sample.jobs),
    (_("Database in MB"), lambda sample: sample.database_bytes / 1_000_000),
)

_WINGS: Mapping[str, Text] = {
    "play": _("Games"),
    "compete": _("Tournaments"),
    "nugget": Text("Golden Nugget"),
    "learn": _("Puzzles and statistics"),
    "people": _("Accounts, mail and push"),
    "site": _("Awards, exports and privacy"),
    "server": _("Server"),
}
"""What the schedules of a wing are for; those of other wings are for the server."""


def by_purpose(schedules: Sequence[ScheduleState]) -> Mapping[Text, Sequence[ScheduleState]]:
    """Return schedules by what they are for."""
    wings = {each.name: feature.package.split(".")[1] for feature in FEATURES for each in feature.schedules}
    groups: dict[Text, list[ScheduleState]] = {title: [] for title in _WINGS.values()}
    for schedule in schedules:
        groups[_WINGS.get(wings.get(schedule.name, ""), _WINGS["server"])].append(schedule)
    return groups


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


def _time(at: datetime) -> str:
    return f"{at:%H:%M} UTC"
