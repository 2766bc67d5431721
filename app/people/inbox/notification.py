"""A notification as it is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

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
