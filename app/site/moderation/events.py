"""What is published about reports."""

from app.core.events import Event, Topic

REPORTS = Topic("reports")
"""Reports are made or closed."""


class ReportsChanged(Event, frozen=True):
    """There are more open reports, or fewer."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of reports."""
        return (REPORTS,)
