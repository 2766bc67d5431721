"""Game clocks as immutable values. The current time is always an argument.

Durations are in milliseconds, and moments in milliseconds since the Unix epoch by the server's clock. A seat
is an index into the sides of the game. A real-time clock adds an increment after each move (Fischer). A
correspondence clock gives a number of days for each move. In a race, one deadline ends every player's game.
No clock runs before the first move of a real-time game, which must be made within `FIRST_MOVE_WITHIN`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

FIRST_MOVE_WITHIN = 60_000
LIMITS = range(60, 180 * 60 + 1)  # seconds
INCREMENTS = range(181)  # seconds
DAYS = (1, 2, 3, 5, 7, 10, 14)
_DAY = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Realtime:
    """A time limit for the game and an increment for each move, both in seconds."""

    limit: int
    increment: int

    def __post_init__(self) -> None:
        """Raise ValueError if the limit or the increment is out of range."""
        if self.limit not in LIMITS:
            raise ValueError("The time of a player is from 1 to 180 minutes.")
        if self.increment not in INCREMENTS:
            raise ValueError("The increment is from 0 to 180 seconds.")

    def __str__(self) -> str:
        """Return the control as minutes + seconds, such as `5+5`."""
        return f"{self.limit / 60:g}+{self.increment}"


@dataclass(frozen=True, slots=True)
class Correspondence:
    """A number of days for each move."""

    days: int

    def __post_init__(self) -> None:
        """Raise ValueError if the number of days is not in `DAYS`."""
        if self.days not in DAYS:
            raise ValueError(f"The days for a move are one of {', '.join(map(str, DAYS))}.")

    def __str__(self) -> str:
        """Return a description of the time control."""
        return "1 day a move" if self.days == 1 else f"{self.days} days a move"


@dataclass(frozen=True, slots=True)
class CommonDeadline:
    """A deadline for all players of a race, in milliseconds since the epoch."""

    until: int

    def __str__(self) -> str:
        """Return a description of the time control."""
        return "a race"


TimeControl = Realtime | Correspondence | CommonDeadline


def control_from_dict(members: Mapping[str, Any] | None) -> TimeControl | None:
    """Return the time control of a dict as from `control_to_dict`, or None for None. Raise ValueError."""
    if members is None:
        return None
    match members:
        case {"kind": "realtime", "limit": int(limit), "increment": int(increment)} if len(members) == 3:
            return Realtime(limit, increment)
        case {"kind": "correspondence", "days": int(days)} if len(members) == 2:
            return Correspondence(days)
        case {"kind": "race", "until": int(until)} if len(members) == 2:
            return CommonDeadline(until)
    raise ValueError(
        "A time control is realtime with limit and increment, correspondence with days, or none."
    )


def control_to_dict(control: TimeControl | None) -> dict[str, Any] | None:
    """Return a time control as a dict: kind, and limit and increment (seconds), days, or until (ms)."""
    match control:
        case Realtime(limit, increment):
            return {"kind": "realtime", "limit": limit, "increment": increment}
        case Correspondence(days):
            return {"kind": "correspondence", "days": days}
        case CommonDeadline(until):
            return {"kind": "race", "until": until}
    return None


class FlagFallen(Exception):  # noqa: N818 - the field's name for it
    """The time for the move ran out before it was made."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time `left` for each seat at the moment `since`, when the clock of seat `running` was started.

    `running` is None if no clock runs. `opening` is true until the first move of the game.
    """

    control: TimeControl
    left: tuple[int, ...]
    running: int | None
    since: int
    opening: bool = False

    @property
    def deadline(self) -> int | None:
        """Return the moment at which the time for the next move runs out, or None if no clock runs."""
        if self.running is None:
            return None
        if isinstance(self.control, CommonDeadline):
            return self.control.until
        if self.opening and isinstance(self.control, Realtime):
            return self.since + FIRST_MOVE_WITHIN
        return self.since + self.left[self.running]

    def is_due(self, now: int) -> bool:
        """Return whether the deadline has been reached. A move made before the deadline counts."""
        return self.deadline is not None and now >= self.deadline

    def read(self, now: int) -> tuple[int, ...]:
        """Return the time left for each seat at `now`, at least 0."""
        if self.running is None or (self.opening and isinstance(self.control, Realtime)):
            return self.left
        if isinstance(self.control, CommonDeadline):
            return self._with_left(self.running, max(0, self.control.until - now))
        return self._with_left(self.running, max(0, self.left[self.running] - self._elapsed(now)))

    def pressed(self, now: int, to_move: int | None) -> "Clock":
        """Return the clock after a move at `now`, with the clock of seat `to_move` (or none) running.

        Raise FlagFallen if the time has run out, and ValueError if no clock is running.
        """
        if self.running is None:
            raise ValueError("No clock is running.")
        if self.is_due(now):
            raise FlagFallen
        mover, left = self.running, self.read(now)
        match self.control:
            case Realtime(increment=increment) if not self.opening:
                left = replace(self, left=left)._with_left(mover, left[mover] + increment * 1000)  # noqa: SLF001
            case Correspondence():
                left = full(self.control, len(left))
        return Clock(self.control, left, to_move, now)

    def stopped(self, now: int) -> "Clock":
        """Return the clock of a game that ended at `now`."""
        return replace(self, left=self.read(now), running=None, since=now)

    def turned_back(self, now: int, to_move: int, ply: int) -> "Clock":
        """Return the clock after a takeback to a ply. The time spent on the moves is not restored."""
        left = (
            full(self.control, len(self.left)) if isinstance(self.control, Correspondence) else self.read(now)
        )
        return replace(self, left=left, running=to_move, since=now, opening=ply == 0)

    def _elapsed(self, now: int) -> int:
        # The clocks of two servers may differ a little; time never runs backwards for a player.
        return max(0, now - self.since)

    def _with_left(self, seat: int, milliseconds: int) -> tuple[int, ...]:
        return (*self.left[:seat], milliseconds, *self.left[seat + 1 :])


def full(control: TimeControl, seats: int) -> tuple[int, ...]:
    """Return the time of each seat at the start. In a race it is 0, since the deadline alone counts."""
    match control:
        case Realtime(limit):
            return (limit * 1000,) * seats
        case Correspondence(days):
            return (days * _DAY,) * seats
    return (0,) * seats


def started(control: TimeControl, seats: int, to_move: int, now: int) -> Clock:
    """Return the clock of a game that starts at `now`, with seat `to_move` to move."""
    return Clock(control, full(control, seats), to_move, now, opening=True)
