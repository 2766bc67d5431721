"""What follows for players who abort too many games: no real-time challenges for a while."""

from dataclasses import dataclass
from datetime import datetime, timedelta

LAST_GAMES = 20
"""The number of a player's latest games that are looked at."""

_TOLERATED = 4
_FIRST_PAUSE = timedelta(minutes=10)
_LONGEST_PAUSE = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Aborts:
    """How many of a player's last games between people they aborted, and the moment of the last abort."""

    aborted: int
    last_at: datetime | None

    @property
    def paused_until(self) -> datetime | None:
        """Return until when real-time challenges are closed to the player, or None if they are not.

        Each abort beyond those tolerated doubles the pause, up to a day.
        """
        excess = self.aborted - _TOLERATED
        if excess <= 0 or self.last_at is None:
            return None
        doubled: int = 2 ** (excess - 1)
        return self.last_at + min(_FIRST_PAUSE * doubled, _LONGEST_PAUSE)
