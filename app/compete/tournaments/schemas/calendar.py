"""The calendar as programs see it."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

_ENTRY: dict[str, Any] = {
    "kind": "tournament",
    "title": "Thursday arena",
    "path": "/tournaments/k7m2wq9xab",
    "starts_at": "2026-01-01T19:00:00Z",
    "ends_at": "2026-01-01T19:45:00Z",
}


class CalendarEntry(BaseModel):
    """Something that takes place: a `tournament`, a `competition` or a `race`. `path` is that of its page."""

    model_config = ConfigDict(json_schema_extra={"examples": [_ENTRY]}, from_attributes=True)

    kind: str
    title: str
    path: str
    starts_at: datetime
    ends_at: datetime | None


class CalendarShown(BaseModel):
    """What goes on now and what comes, by the start."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"entries": [_ENTRY]}]})

    entries: list[CalendarEntry]
