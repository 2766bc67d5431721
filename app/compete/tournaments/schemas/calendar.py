"""The calendar as programs see it."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict

from app.core.web.shown import example


class CalendarEntry(BaseModel):
    """Something that takes place: a `tournament`, a `competition` or a `race`. `path` is that of its page."""

    model_config = ConfigDict(from_attributes=True)

    kind: Annotated[str, example("tournament")]
    title: Annotated[str, example("Thursday arena")]
    path: Annotated[str, example("/tournaments/k7m2wq9xab")]
    starts_at: datetime
    ends_at: datetime | None


class CalendarShown(BaseModel):
    """What goes on now and what comes, by the start."""

    entries: list[CalendarEntry]
