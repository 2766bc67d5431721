"""What a clock has counted, and what a takeback leaves of it.

Each seat has what it had at the position, less what it has used since, whatever was taken back meanwhile. The
turns that a takeback undoes are forgotten, so the ply to which it led is marked with what they took.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.clock import Clock, DaysBank, Realtime, TimeControl, after_turn, full, is_realtime
from engine.counted_time import Stop


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that is over: the ply after which it began, its seat, its time, and the seat that followed."""

    ply: int
    seat: int
    spent: int
    following: int | None


class Mark(NamedTuple):
    """A ply to which takebacks led: what the seats had there then, and what they had used beyond it."""

    ply: int
    left: tuple[int, ...]
    used: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The turns of a game that are over, and the marks of its takebacks. Times are in milliseconds."""

    turns: Sequence[Turn]
    marks: Sequence[Mark] = ()

    def had(self, ply: int, control: TimeControl, seats: int) -> tuple[int, ...]:
        """Return what each seat had as the turn after a ply began."""
        marks = {mark.ply: mark.left for mark in self.marks}
        left = full(control, seats)
        for turn in self.turns:
            left = marks.get(turn.ply, left)
            if turn.ply >= ply:
                break
            if self._counts(turn, control):
                spent = _by(turn.seat, turn.spent, seats)
                left = after_turn(control, _less(left, spent), turn.seat, turn.following)
        return left

    def used(self, ply: int, control: TimeControl, seats: int) -> tuple[int, ...]:
        """Return what each seat has used in turns after a ply, also in those that were taken back."""
        used = [mark.used for mark in self.marks if mark.ply > ply]
        used += [
            _by(turn.seat, turn.spent, seats)
            for turn in self.turns
            if turn.ply >= ply and self._counts(turn, control)
        ]
        return _sum(used, seats)

    def _counts(self, turn: Turn, control: TimeControl) -> bool:
        """Return whether the time of a turn counts. The first move in real time takes none."""
        is_first = turn is self.turns[0] and all(mark.ply != turn.ply for mark in self.marks)
        return not (is_first and is_realtime(control))


def turned_back(
    clock: Clock, now: int, to_move: int, ply: int, history: History, stop: Stop | None = None
) -> tuple[Clock, tuple[Mark, ...]]:
    """Return the clock and the marks after a takeback to a ply, after which seat `to_move` is to move.

    No seat has more than it has now. Where each move has a time of its own, that of the other seat is whole
    again when its turn begins. The clock of seat `to_move` stands still during the stop.
    """
    seats, control = len(clock.left), clock.control
    has, had = clock.read(now), history.had(ply, control, seats)
    used = _sum([history.used(ply, control, seats), _less(clock.left, has)], seats)
    rest = _less(had, used)
    is_budget = isinstance(control, Realtime | DaysBank)
    left = tuple(
        min(has[seat], rest[seat] if is_budget or seat == to_move else had[seat]) for seat in range(seats)
    )
    used = _sum([used, *(mark.used for mark in history.marks if mark.ply == ply)], seats)
    marks = (*(mark for mark in history.marks if mark.ply < ply), Mark(ply, left, used))
    return Clock(control, left, to_move, now, stop=stop), marks


def _by(seat: int, spent: int, seats: int) -> tuple[int, ...]:
    return tuple(spent if other == seat else 0 for other in range(seats))


def _less(left: Sequence[int], used: Sequence[int]) -> tuple[int, ...]:
    return tuple(max(0, has - gone) for has, gone in zip(left, used, strict=True))


def _sum(times: Sequence[Sequence[int]], seats: int) -> tuple[int, ...]:
    return tuple(map(sum, zip((0,) * seats, *times, strict=True)))
