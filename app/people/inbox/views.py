"""What the templates of notifications draw."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.core.i18n.text import Text


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
