"""The settings in force, without what is secret in them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr
from pydantic_core import to_json

from app.core.i18n.text import Text, _
from app.core.setting_types import SECRETS
from app.core.settings import PREFIX, Settings

_HIDDEN = "…"
_PASSWORDS = (re.compile(r"(//[^/@:]*:)[^@]*(?=@)"), re.compile(rf"([?&](?:{'|'.join(SECRETS)})=)[^&]*"))
"""Where the passwords of URLs are."""
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
        group.append(SettingShown((PREFIX + name).upper(), _text(getattr(settings, name)), is_default))
    return groups


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, SecretStr):
        return _HIDDEN
    text = str(value) if isinstance(value, str | Path) else to_json(value).decode()
    for password in _PASSWORDS:
        text = password.sub(rf"\1{_HIDDEN}", text)
    return text
