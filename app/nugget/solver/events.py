"""What is published of searches."""

from typing import ClassVar

from app.core.events import Event, Topic

SEARCHES = Topic("nugget:searches")
"""Searches have reported, or are silent now."""


class SearchesChanged(Event, frozen=True):
    """Searches have reported, or are silent now."""

    topics: ClassVar = (SEARCHES,)
