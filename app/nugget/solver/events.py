"""What is published of searches."""

from app.core.events import Event, Topic

SEARCHES = Topic("nugget:searches")
"""Searches have reported, or are silent now."""


class SearchesChanged(Event, frozen=True):
    """Searches have reported, or are silent now."""

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of searches."""
        return (SEARCHES,)
