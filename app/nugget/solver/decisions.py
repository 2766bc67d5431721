"""What becomes of a search, and which of its samples are kept."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

SILENT_AFTER: Final = timedelta(minutes=1)
"""The time without a report after which a search counts as stopped: its process may have been killed."""

LATELY: Final = timedelta(minutes=3)
"""The time over which the rate of a search is shown."""

RECENT: Final = 40
"""How many of the last reports are kept as samples in any case: those of LATELY, and some."""

_MOST_SAMPLES = 120


class SearchState(StrEnum):
    """What a search does."""

    RUNNING = "running"
    FINISHED = "finished"
    """Its time is over."""
    STOPPED = "stopped"
    """It was ended before, or is silent."""


def state_at(now: datetime, state: SearchState, reported_at: datetime) -> SearchState:
    """Return the state of a search that reported one at a moment."""
    is_silent = state is SearchState.RUNNING and now - reported_at > SILENT_AFTER
    return SearchState.STOPPED if is_silent else state


def per_minute(boards: int, seconds: float) -> int:
    """Return how many boards were solved in a minute, of so many within some seconds."""
    return round(boards / max(seconds, 1) * 60)


def step_of(reports: int) -> int:
    """Return the step between the numbers of the older samples that are kept of so many reports.

    It doubles with them, so that what was kept for one step is kept for the next one, too.
    """
    return 1 << max(0, (reports - 1) // _MOST_SAMPLES).bit_length()
