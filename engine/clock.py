"""Clocks of games, as values that are handed the time.

Durations are milliseconds, moments are milliseconds since the Unix epoch by the server's clock, and a seat is
a place in the order of the game's sides. A real-time clock is Fischer's: after each move the increment is
added. In correspondence each move has so many days. In a race one moment ends the game of everybody. The
first move of a real-time game is made before any clock runs, but it has to come within `FIRST_MOVE_WITHIN`.
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
    """So many seconds for the whole game, and so many more after each move."""

    limit: int
    increment: int

    def __post_init__(self) -> None:
        """Raise ValueError for seconds out of range."""
        if self.limit not in LIMITS:
            raise ValueError("The time of a player is from 1 to 180 minutes.")
        if self.increment not in INCREMENTS:
            raise ValueError("The increment is from 0 to 180 seconds.")

    def __str__(self) -> str:
        """Give the control as players write it: minutes + seconds, `5+5`."""
        return f"{self.limit / 60:g}+{self.increment}"


@dataclass(frozen=True, slots=True)
class Correspondence:
    """So many days for each move."""

    days: int

    def __post_init__(self) -> None:
        """Raise ValueError for a number of days that is not offered."""
        if self.days not in DAYS:
            raise ValueError(f"The days for a move are one of {', '.join(map(str, DAYS))}.")

    def __str__(self) -> str:
        """Give the control in words."""
        return "1 day a move" if self.days == 1 else f"{self.days} days a move"


@dataclass(frozen=True, slots=True)
class CommonDeadline:
    """One moment (milliseconds since the epoch) by which everybody has to have played."""

    until: int

    def __str__(self) -> str:
        """Give the control in words."""
        return "a race"


TimeControl = Realtime | Correspondence | CommonDeadline


def control_from_dict(members: Mapping[str, Any] | None) -> TimeControl | None:
    """Read a time control from its members (see `control_to_dict`), None for no clock. Raises ValueError."""
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
    """Give the members of a time control: kind, and limit and increment (seconds), days, or until (ms)."""
    match control:
        case Realtime(limit, increment):
            return {"kind": "realtime", "limit": limit, "increment": increment}
        case Correspondence(days):
            return {"kind": "correspondence", "days": days}
        case CommonDeadline(until):
            return {"kind": "race", "until": until}
    return None


class FlagFallen(Exception):  # noqa: N818 - the field's name for it
    """The time for the move was over before it came."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What each seat had `left` at the moment `since`, from when on the time of seat `running` runs down.

    Nobody's time runs when `running` is None. `opening`: the game's first move is still to come.
    """

    control: TimeControl
    left: tuple[int, ...]
    running: int | None
    since: int
    opening: bool = False

    @property
    def deadline(self) -> int | None:
        """Give the moment by which the next move has to have come, or None when no time runs."""
        if self.running is None:
            return None
        if isinstance(self.control, CommonDeadline):
            return self.control.until
        if self.opening and isinstance(self.control, Realtime):
            return self.since + FIRST_MOVE_WITHIN
        return self.since + self.left[self.running]

    def is_due(self, now: int) -> bool:
        """Tell whether the time for the next move is over: a move just before the deadline counts."""
        return self.deadline is not None and now >= self.deadline

    def read(self, now: int) -> tuple[int, ...]:
        """Give what each seat has left now, never less than nothing."""
        if self.running is None or (self.opening and isinstance(self.control, Realtime)):
            return self.left
        if isinstance(self.control, CommonDeadline):
            return self._with_left(self.running, max(0, self.control.until - now))
        return self._with_left(self.running, max(0, self.left[self.running] - self._elapsed(now)))

    def pressed(self, now: int, to_move: int | None) -> "Clock":
        """Give the clock after a move made now, with the time of seat `to_move` (None: nobody's) running.

        Raises FlagFallen.
        """
        if self.running is None:
            raise ValueError("No time runs on this clock.")
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
        """Give the clock of a game that ended now."""
        return replace(self, left=self.read(now), running=None, since=now)

    def turned_back(self, now: int, to_move: int) -> "Clock":
        """Give the clock after moves were taken back: the time that they took stays spent."""
        left = (
            full(self.control, len(self.left)) if isinstance(self.control, Correspondence) else self.read(now)
        )
        return replace(self, left=left, running=to_move, since=now)

    def _elapsed(self, now: int) -> int:
        # Clocks of two machines differ a little; time never runs backwards for a player.
        return max(0, now - self.since)

    def _with_left(self, seat: int, milliseconds: int) -> tuple[int, ...]:
        return (*self.left[:seat], milliseconds, *self.left[seat + 1 :])


def full(control: TimeControl, seats: int) -> tuple[int, ...]:
    """Give what each seat has at the start; in a race that follows from the moment, and is 0 here."""
    match control:
        case Realtime(limit):
            return (limit * 1000,) * seats
        case Correspondence(days):
            return (days * _DAY,) * seats
    return (0,) * seats


def started(control: TimeControl, seats: int, to_move: int, now: int) -> Clock:
    """Give the clock of a game that starts now."""
    return Clock(control, full(control, seats), to_move, now, opening=True)
