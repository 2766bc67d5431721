"""Plain values that the templates of chat draw."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.core.i18n.text import Text


@dataclass(frozen=True, slots=True)
class LineView:
    """A message; the words of a greeting are translated for each reader."""

    id: int
    page: str  # "/games/k7m2wq9xab"
    room: str
    username: str
    words: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room: its messages, and what its viewer may send."""

    room: str
    title: Text
    lines: Sequence[LineView]
    greetings: Mapping[str, Text]
    may_type: bool
