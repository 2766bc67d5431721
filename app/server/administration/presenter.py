"""What administrators see: charts of the last day, schedules, and settings without what is secret in them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from markupsafe import Markup
from pydantic import SecretStr
from pydantic_core import to_json

from app.core.i18n.text import Text, _
from app.core.setting_types import SECRETS, SECRETS_OF_VALKEY
from app.core.settings import PREFIX, Settings
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

_HIDDEN = "…"
_SECRETS = "|".join((*SECRETS, *SECRETS_OF_VALKEY))
_PASSWORDS = (re.compile(r"(//[^/@:]*:).*(?=@)"), re.compile(rf"([?&](?:{_SECRETS})=)[^&]*"))
"""Where the passwords of URLs are; one of Valkey may have an @, and ends at the last one."""
_FIRST_OF_GROUPS = {
    "database_url": _("Database"),
    "bus": _("Between processes"),
    "public_url": _("Address and operator"),
    "recurring_competitions": _("Regular events"),
    "mail_host": _("Mail and push"),
    "throttle": _("Limits"),
    "health_details": _("Health, metrics and log"),
}
"""The setting with which each group begins."""


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


@dataclass(frozen=True, slots=True)
class SettingShown:
    """A setting by the name of its variable; `is_default` if nothing else was chosen."""

    name: str
    value: str
    is_default: bool


def settings_shown(settings: Settings) -> Mapping[Text, Sequence[SettingShown]]:
    """Return all settings in the order of their documentation, by what they are for."""
    groups: dict[Text, list[SettingShown]] = {}
    for name in Settings.model_fields:
        if name in _FIRST_OF_GROUPS:
            group = groups.setdefault(_FIRST_OF_GROUPS[name], [])
        is_default = name not in settings.model_fields_set
        group.append(SettingShown((PREFIX + name).upper(), _value(getattr(settings, name)), is_default))
    return groups


def _value(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, SecretStr):
        return _HIDDEN
    text = str(value) if isinstance(value, str | Path) else to_json(value).decode()
    for password in _PASSWORDS:
        text = password.sub(rf"\1{_HIDDEN}", text)
    return text
