"""How much vacation an account has saved up (30 days a year, at most 30), and who may begin one."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.core.errors import AppError, ConflictError
from app.core.i18n.text import _, ngettext
from app.play.games.game import GameState
from engine.counted_time import Stop

DAY = 24 * 60 * 60 * 1000
MOST_DAYS = 30
_AT_FIRST = 7 * DAY
_A_YEAR = 365  # days, in which as many as `MOST_DAYS` are added

LEAST_LEFT = 60 * 60 * 1000
"""Milliseconds that each of the own running clocks must have as a vacation begins."""


@dataclass(frozen=True, slots=True)
class VacationAllowance:
    """The milliseconds `saved` at the moment `counted_at`, and the last vacation, which may be going on."""

    saved: int
    counted_at: int
    vacation: Stop | None = None

    def left(self, moment: int) -> int:
        """Return the milliseconds of vacation that may be taken at a moment. None are added during one."""
        added = max(0, moment - self.counted_at) * MOST_DAYS // _A_YEAR
        return min(MOST_DAYS * DAY, self.saved + added)

    def days_left(self, moment: int) -> int:
        """Return the whole days of vacation that may be taken at a moment."""
        return self.left(moment) // DAY

    def until(self, moment: int) -> int | None:
        """Return the end of the vacation that is going on at a moment, or None."""
        return self.vacation[1] if self.vacation is not None and self.vacation[1] > moment else None

    def begun(self, days: int, moment: int) -> "VacationAllowance":
        """Return the allowance after the beginning of a vacation of some days, which have to be left."""
        until = moment + days * DAY
        return VacationAllowance(self.left(moment) - days * DAY, until, (moment, until))

    def ended(self, moment: int) -> "VacationAllowance":
        """Return the allowance after the end of the vacation that is going on. It takes at least a day."""
        assert self.vacation is not None
        since, until = self.vacation
        unused = until - max(moment, since + DAY)
        return VacationAllowance(self.saved + unused, moment, (since, moment))


def at_first(created_at: int) -> VacationAllowance:
    """Return the allowance of an account that has never been on vacation: a week since it was created."""
    return VacationAllowance(_AT_FIRST, created_at)


def begin(
    allowance: VacationAllowance, days: int, games: Iterable[GameState], account_id: int, moment: int
) -> VacationAllowance:
    """Return the allowance of an account after a vacation of some days has begun.

    Raise ConflictError `on_vacation`, `not_enough_days` (with `days_left`) or `too_late` (with `game_id`).
    """
    if allowance.until(moment) is not None:
        raise ConflictError("on_vacation", _("You are on vacation already. End it before you begin another."))
    left = allowance.days_left(moment)
    if days > left:
        raise _not_enough(left)
    for game in games:
        if _time_left(game, account_id, moment) < LEAST_LEFT:
            raise _too_late(game, account_id)
    return allowance.begun(days, moment)


def _not_enough(left: int) -> AppError:
    return ConflictError(
        "not_enough_days",
        ngettext(
            "You have %(count)s day of vacation left. More are added over time.",
            "You have %(count)s days of vacation left. More are added over time.",
            left,
        ),
        extra={"days_left": left},
    )


def _too_late(game: GameState, account_id: int) -> AppError:
    opponent = next(player.username for player in game.players if player.id != account_id)
    return ConflictError(
        "too_late",
        _("You have less than an hour for your move against %(player)s. Play it first.", player=opponent),
        extra={"game_id": game.id},
    )


def _time_left(game: GameState, account_id: int, moment: int) -> float:
    """Return the milliseconds that an account has for its move; infinite if it is not its turn."""
    player, clock = game.player_to_move, game.clock
    if clock is None or clock.running is None or player is None or player.id != account_id:
        return float("inf")
    return clock.read(moment)[clock.running]
