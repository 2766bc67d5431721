"""Plain values that the templates of moderation draw."""

from dataclasses import dataclass
from datetime import datetime

from app.core.i18n.text import Text


@dataclass(frozen=True, slots=True)
class ReportView:
    """A report in a list."""

    username: str
    reporter: str | None  # None: the server
    reason: Text
    place: str
    url: str | None
    text: str
    quote: str
    at: datetime
    is_open: bool


@dataclass(frozen=True, slots=True)
class SaidView:
    """A text around a reported one."""

    username: str
    text: str
    at: datetime
    is_reported: bool


@dataclass(frozen=True, slots=True)
class ActionView:
    """A line of the log of moderation."""

    id: int
    label: Text
    username: str
    moderator: str  # "" for the player concerned
    reason: str
    detail: str  # "2026-11-28", "robin → player-7"
    url: str | None
    at: datetime
    may_answer: bool
