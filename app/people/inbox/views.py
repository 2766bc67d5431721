"""What the templates of notifications draw."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.i18n.text import Text


@dataclass(frozen=True, slots=True)
class SwitchView:
    """A switch: the name of its field, its label, the positions with their labels, and the chosen one."""

    name: str
    label: Text
    choices: Sequence[tuple[str, Text]]
    chosen: str
