"""What is wrong with settings, in words for operators."""

import re
from collections.abc import Iterator

from pydantic import ValidationError

from app.core.recurring_arenas import RecurringArena
from app.core.setting_types import nearest
from app.core.settings import PREFIX, Settings

_SECRETS = ("database_url", "database_direct_url", "database_replica_url", "valkey_url", "mail_password")
_LONGEST_SHOWN, _LONGEST_LINE = 60, 200  # characters
_NAMES = [f"{PREFIX}{field.upper()}" for field in Settings.model_fields]


def explain(error: ValidationError) -> Iterator[str]:
    """Yield a line for each setting that is invalid: its name, what is wrong, and its value unless secret."""
    for fault in error.errors():
        setting, *members = fault["loc"]
        path = "".join(f"[{member}]" if isinstance(member, int) else f".{member}" for member in members)
        name = _shown(f"{PREFIX}{str(setting).upper()}{path}")
        if fault["type"] == "extra_forbidden":
            known = RecurringArena.model_fields if members else _NAMES
            yield f"{name} is not a setting.{nearest(str(members[-1]) if members else name, known)}"
        else:
            problem = _shown(fault["msg"].removeprefix("Value error, ").removesuffix("."))
            yield f"{name}: {problem}.{_value(setting, fault['input'])}"


def _value(setting: object, value: object) -> str:
    """Return a sentence with the value of a setting, or nothing if it is or could be a secret, or no text."""
    if not isinstance(value, str) or setting in _SECRETS or re.search(r"//.*@", value):
        return ""
    return f" It is {value if len(value) <= _LONGEST_SHOWN else value[:_LONGEST_SHOWN] + '…'!r}."


def _shown(text: str) -> str:
    """Return a text on one line, which is not too long."""
    escaped = "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
    return escaped if len(escaped) <= _LONGEST_LINE else escaped[:_LONGEST_LINE] + "…"
