"""The settings in force, without what is secret in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr
from pydantic_core import to_json

from app.core.settings import PREFIX, Settings

_HIDDEN = "…"
_PASSWORDS = (re.compile(r"(//[^/@:]*:)[^@]*(?=@)"), re.compile(r"([?&][^=&]*password=)[^&]*"))
"""Where the passwords of URLs are."""


@dataclass(frozen=True, slots=True)
class SettingShown:
    """A setting by the name of its variable; `is_default` if nothing else was chosen."""

    name: str
    value: str
    is_default: bool


def settings_shown(settings: Settings) -> Sequence[SettingShown]:
    """Return all settings in the order of their documentation."""
    return [
        SettingShown(
            (PREFIX + name).upper(), _text(getattr(settings, name)), name not in settings.model_fields_set
        )
        for name in Settings.model_fields
    ]


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, SecretStr):
        return _HIDDEN
    text = str(value) if isinstance(value, str | Path) else to_json(value).decode()
    for password in _PASSWORDS:
        text = password.sub(rf"\1{_HIDDEN}", text)
    return text
