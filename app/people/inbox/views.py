"""What the templates of notifications draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.core.i18n.text import Text
from app.people.inbox.kinds import NewsKind


@dataclass(frozen=True, slots=True)
class Listed:
    """A notification with the name of the account whose doing it is, if any."""

    id: int
    kind: NewsKind
    subject: str
    actor: str | None
    data: Mapping[str, Any]
    at: datetime
    is_read: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A notification in a list, with the path of the page that it leads to."""

    text: Text
    detail: str
    path: str
    at: datetime
    is_read: bool


@dataclass(frozen=True, slots=True)
class SwitchView:
    """A switch: the name of its field, its label, the positions with their labels, and the chosen one."""

    name: str
    label: Text
    choices: Sequence[tuple[str, Text]]
    chosen: str
