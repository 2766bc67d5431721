"""Leaving alone for a while what has failed."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

_FIRST_PAUSE = timedelta(seconds=1)  # after a failure; doubled at each further one
_LONGEST_PAUSE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class _Rest:
    pause: timedelta
    until: int


class Rests:
    """Which things, by their ids, rest after a failure. Moments are in milliseconds."""

    def __init__(self) -> None:
        self._rests: dict[str, _Rest] = {}

    def resting(self, moment: int) -> Collection[str]:
        """Return the ids of what rests at a moment."""
        # Another process may have settled those that were not tried again.
        longest = _milliseconds(_LONGEST_PAUSE)
        self._rests = {id_: rest for id_, rest in self._rests.items() if moment < rest.until + longest}
        return {id_ for id_, rest in self._rests.items() if moment < rest.until}

    def failed(self, id_: str, moment: int) -> timedelta:
        """Note a failure, and return for how long the thing rests."""
        last = self._rests.get(id_)
        pause = _FIRST_PAUSE if last is None else min(2 * last.pause, _LONGEST_PAUSE)
        self._rests[id_] = _Rest(pause, moment + _milliseconds(pause))
        return pause

    def succeeded(self, id_: str) -> None:
        """Note that the thing works."""
        self._rests.pop(id_, None)


def _milliseconds(pause: timedelta) -> int:
    return pause // timedelta(milliseconds=1)
