"""What is published about reports."""

from typing import ClassVar

from app.core.events import Event, Topic

REPORTS = Topic("reports")
"""Reports are made or closed."""


class ReportsChanged(Event, frozen=True):
    """There are more open reports, or fewer."""

    topics: ClassVar = (REPORTS,)
