"""Game clocks as immutable values. The current time is always an argument.

Durations are in milliseconds, and moments in milliseconds since the Unix epoch by the server's clock. A seat
is an index into the sides of the game. The kinds of clocks are below, each a class; what a player has left is
one number for all of them, which with byo-yomi has the time of all periods in it. No clock runs before the
first move of a real-time game, which must be made within `FIRST_MOVE_WITHIN`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from engine import counted_time
from engine.counted_time import Stop

FIRST_MOVE_WITHIN = 60_000
LIMITS = range(60, 180 * 60 + 1)  # seconds
INCREMENTS = range(181)  # seconds
DAYS = (1, 2, 3, 5, 7, 10, 14)
MAIN_TIMES = range(180 * 60 + 1)  # seconds, before byo-yomi
PERIODS = range(1, 11)
PERIOD_SECONDS = range(5, 301)  # of byo-yomi, or for each move
BANKED_DAYS = range(1, 29)
DEADLINES = range(253_402_300_800_000)  # moments from 1970 to 9999
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
class Byoyomi:
    """A main time in seconds, and then periods of some seconds.

    A move made within a period gives that period back; a period that runs out is gone.
    """

    limit: int
    periods: int
    period: int

    def __post_init__(self) -> None:
        """Raise ValueError if the main time, the number of periods or their length is out of range."""
        if self.limit not in MAIN_TIMES:
            raise ValueError("The main time of a player is from 0 to 180 minutes.")
        if self.periods not in PERIODS:
            raise ValueError("The number of periods is from 1 to 10.")
        if self.period not in PERIOD_SECONDS:
            raise ValueError("A period has from 5 to 300 seconds.")

    def __str__(self) -> str:
        """Return the control as main time in minutes + periods × seconds, such as `10+3×30`."""
        return f"{self.limit / 60:g}+{self.periods}×{self.period}"

    def split(self, left: int) -> tuple[int, int]:
        """Return the main time, or in byo-yomi the time of the current period, and the periods left."""
        period = self.period * 1000
        if left > self.periods * period:
            return left - self.periods * period, self.periods
        periods = -(-left // period)
        return left - max(0, periods - 1) * period, periods


@dataclass(frozen=True, slots=True)
class PerMove:
    """A number of seconds for each move."""

    seconds: int

    def __post_init__(self) -> None:
        """Raise ValueError if the number of seconds is out of range."""
        if self.seconds not in PERIOD_SECONDS:
            raise ValueError("The time for a move is from 5 to 300 seconds.")

    def __str__(self) -> str:
        """Return a description of the time control."""
        return f"{self.seconds} s a move"


@dataclass(frozen=True, slots=True)
class Correspondence:
    """A number of days for each move. With `weekends_off`, Saturdays and Sundays (UTC) do not count."""

    days: int
    weekends_off: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError if the number of days is not in `DAYS`."""
        if self.days not in DAYS:
            raise ValueError(f"The days for a move are one of {', '.join(map(str, DAYS))}.")

    def __str__(self) -> str:
        """Return a description of the time control."""
        return "1 day a move" if self.days == 1 else f"{self.days} days a move"


@dataclass(frozen=True, slots=True)
class DaysBank:
    """Some days at the start and some more for each move, up to a most. Weekends as in `Correspondence`."""

    days: int
    increment: int
    most: int
    weekends_off: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError if the numbers of days are out of range, or the most is less than the others."""
        if self.days not in BANKED_DAYS or self.increment not in BANKED_DAYS or self.most not in BANKED_DAYS:
            raise ValueError("The days at the start, for a move and at most are from 1 to 28.")
        if self.most < max(self.days, self.increment):
            raise ValueError("The most days are not fewer than those at the start or for a move.")

    def __str__(self) -> str:
        """Return the control as days + days for each move, such as `3+1 days, at most 7`."""
        return f"{self.days}+{self.increment} days, at most {self.most}"


@dataclass(frozen=True, slots=True)
class CommonDeadline:
    """A deadline for all players of a race, in milliseconds since the epoch."""

    until: int

    def __post_init__(self) -> None:
        """Raise ValueError if the deadline is out of range."""
        if self.until not in DEADLINES:
            raise ValueError("The deadline is a moment from 1970 to 9999.")

    def __str__(self) -> str:
        """Return a description of the time control."""
        return "a race"


@dataclass(frozen=True, slots=True)
class DayDeadline(CommonDeadline):
    """The end of the day on which everybody may try a board in private. Moves may be taken back."""

    def __str__(self) -> str:
        """Return a description of the time control."""
        return "a board of the day"


TimeControl = Realtime | Byoyomi | PerMove | Correspondence | DaysBank | CommonDeadline | DayDeadline

_KINDS: Mapping[str, type[TimeControl]] = {
    "realtime": Realtime,
    "byoyomi": Byoyomi,
    "per_move": PerMove,
    "correspondence": Correspondence,
    "days_bank": DaysBank,
    "race": CommonDeadline,
    "day": DayDeadline,
}
REALTIME_KINDS = ("realtime", "byoyomi", "per_move")


def control_from_dict(members: object) -> TimeControl | None:
    """Return the time control of a dict as from `control_to_dict`, or None for None.

    Raise ValueError for anything else, and if a member is out of range.
    """
    if members is None:
        return None
    given = dict(members) if isinstance(members, Mapping) else {}
    kind = given.pop("kind", None)
    control = _KINDS.get(kind) if isinstance(kind, str) else None
    if control is not None:
        types = {field.name: bool if field.name == "weekends_off" else int for field in fields(control)}
        given = {"weekends_off": False, **given} if "weekends_off" in types else given
        if given.keys() == types.keys() and all(type(given[name]) is types[name] for name in types):
            return control(**given)
    raise ValueError(
        "A time control is realtime with limit and increment, byoyomi with limit, periods and period, "
        "per_move with seconds, correspondence with days, days_bank with days, increment and most, or none."
    )


def control_to_dict(control: TimeControl | None) -> dict[str, Any] | None:
    """Return a time control as a dict: its kind, and its members in seconds, days, or until (ms)."""
    if control is None:
        return None
    kind = next(kind for kind, cls in _KINDS.items() if type(control) is cls)
    members = {"kind": kind, **asdict(control)}
    return {name: value for name, value in members.items() if value is not False}


# Making a union of types takes longer than the check itself, and a move makes several such checks.
_REALTIME = (Realtime, Byoyomi, PerMove)
_BY_DAYS = (Correspondence, DaysBank)


def is_realtime(control: TimeControl | None) -> bool:
    """Return whether a time control is meant for players who are both present."""
    return isinstance(control, _REALTIME)


class FlagFallen(Exception):  # noqa: N818 - the field's name for it
    """The time for the move ran out before it was made."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time `left` for each seat at the moment `since`, when the clock of seat `running` was started.

    `running` is None if no clock runs. `opening` is true until the first move of the game. The running clock
    stands still during the `stop`.
    """

    control: TimeControl
    left: tuple[int, ...]
    running: int | None
    since: int
    opening: bool = False
    stop: Stop | None = None

    @property
    def deadline(self) -> int | None:
        """Return the moment at which the time for the next move runs out, or None if no clock runs."""
        if self.running is None:
            return None
        if isinstance(self.control, CommonDeadline):
            return self.control.until
        if self.opening and is_realtime(self.control):
            return self.since + FIRST_MOVE_WITHIN
        left = self.left[self.running]
        return counted_time.after(self.since, left, weekends_off=self._weekends_off, stop=self.stop)

    def is_due(self, now: int) -> bool:
        """Return whether the deadline has been reached. A move made before the deadline counts."""
        deadline = self.deadline
        return deadline is not None and now >= deadline

    def read(self, now: int) -> tuple[int, ...]:
        """Return the time left for each seat at `now`, at least 0."""
        if self.running is None or (self.opening and is_realtime(self.control)):
            return self.left
        if isinstance(self.control, CommonDeadline):
            return self._with_left(self.running, max(0, self.control.until - now))
        return self._with_left(self.running, max(0, self.left[self.running] - self.elapsed(now)))

    def elapsed(self, now: int) -> int:
        """Return the time that has counted since the clock was started, at least 0.

        The clocks of two servers may differ a little, and time never runs backwards for a player.
        """
        return counted_time.between(self.since, now, weekends_off=self._weekends_off, stop=self.stop)

    def next_stop(self, now: int) -> Stop | None:
        """Return the time in which the running clock stands still now or next, or None."""
        if self.running is None:
            return None
        return counted_time.next_stop(now, weekends_off=self._weekends_off, stop=self.stop)

    def pressed(self, now: int, to_move: int | None, stop: Stop | None = None) -> "Clock":
        """Return the clock after a move at `now`, with the clock of seat `to_move` (or none) running.

        That clock stands still during the stop. Raise FlagFallen if the time has run out, and ValueError if
        no clock is running.
        """
        if self.running is None:
            raise ValueError("No clock is running.")
        if self.is_due(now):
            raise FlagFallen
        left = self.read(now)
        if not (self.opening and is_realtime(self.control)):
            left = after_turn(self.control, left, self.running, to_move)
        return Clock(self.control, left, to_move, now, stop=stop)

    def standing_still(self, stop: Stop) -> "Clock":
        """Return the clock, which stands still during a stop as well as during earlier ones.

        A stop that begins at the same moment as the last one replaces it; any other begins after its end.
        """
        since = self.since
        if self.stop is not None and self.stop[0] != stop[0]:
            since = counted_time.beginning(stop[0], self.elapsed(stop[0]), weekends_off=self._weekends_off)
        return replace(self, since=since, stop=stop)

    def stopped(self, now: int) -> "Clock":
        """Return the clock of a game that ended at `now`."""
        return replace(self, left=self.read(now), running=None, since=now, stop=None)

    @property
    def _weekends_off(self) -> bool:
        return isinstance(self.control, _BY_DAYS) and self.control.weekends_off

    def _with_left(self, seat: int, milliseconds: int) -> tuple[int, ...]:
        return (*self.left[:seat], milliseconds, *self.left[seat + 1 :])


def after_turn(
    control: TimeControl, left: tuple[int, ...], mover: int, following: int | None
) -> tuple[int, ...]:
    """Return what each seat has after a turn: times for a move are whole, and the mover gets an increment."""
    whole = [_whole(control, has) if seat in (mover, following) else has for seat, has in enumerate(left)]
    whole[mover] = _increased(control, whole[mover])
    return tuple(whole)


def _whole(control: TimeControl, left: int) -> int:
    """Return what a player has as a turn begins or ends: the time for a move, or for a period, is whole."""
    match control:
        case Byoyomi(periods=periods, period=period):
            return left if left > periods * period * 1000 else control.split(left)[1] * period * 1000
        case PerMove() | Correspondence():
            return full(control, 1)[0]
    return left


def _increased(control: TimeControl, left: int) -> int:
    """Return what a player has with the increment for a move, if there is one."""
    match control:
        case Realtime(increment=increment):
            return left + increment * 1000
        case DaysBank(increment=increment, most=most):
            return min(left + increment * _DAY, most * _DAY)
    return left


def full(control: TimeControl, seats: int) -> tuple[int, ...]:
    """Return the time of each seat at the start. In a race it is 0, since the deadline alone counts."""
    match control:
        case Realtime(limit):
            return (limit * 1000,) * seats
        case Byoyomi(limit, periods, period):
            return ((limit + periods * period) * 1000,) * seats
        case PerMove(seconds):
            return (seconds * 1000,) * seats
        case Correspondence(days) | DaysBank(days):
            return (days * _DAY,) * seats
    return (0,) * seats


def started(control: TimeControl, seats: int, to_move: int, now: int) -> Clock:
    """Return the clock of a game that starts at `now`, with seat `to_move` to move."""
    return Clock(control, full(control, seats), to_move, now, opening=True)
