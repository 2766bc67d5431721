"""How fast games are, by their time controls."""

from enum import StrEnum

from engine.clock import Byoyomi, PerMove, Realtime, TimeControl

MOVES_OF_SPEED = 40
BLITZ_BELOW = 10 * 60
"""Seconds that a player of a rapid game has for `MOVES_OF_SPEED` moves, at least."""


class Speed(StrEnum):
    """How fast games are played."""

    BLITZ = "blitz"
    RAPID = "rapid"
    CORRESPONDENCE = "correspondence"


def speed_of(control: TimeControl | None) -> Speed:
    """Return the speed of a time control, by the time that a player has for `MOVES_OF_SPEED` moves.

    Less than `BLITZ_BELOW` is blitz, more is rapid; a time control in days, or none, is correspondence.
    """
    match control:
        case Realtime(limit, increment):
            seconds = limit + MOVES_OF_SPEED * increment
        case Byoyomi(limit, _, period):
            seconds = limit + MOVES_OF_SPEED * period
        case PerMove(each):
            seconds = MOVES_OF_SPEED * each
        case _:
            return Speed.CORRESPONDENCE
    return Speed.BLITZ if seconds < BLITZ_BELOW else Speed.RAPID
