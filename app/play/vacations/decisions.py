"""Who may begin a vacation, and when."""

from collections.abc import Iterable

from app.core.errors import AppError, ConflictError
from app.core.i18n.text import _, ngettext
from app.play.games.game import GameState
from app.play.vacations.allowance import Allowance

LEAST_LEFT = 60 * 60 * 1000
"""Milliseconds that each of the own running clocks must have as a vacation begins."""


def begin(
    allowance: Allowance, days: int, games: Iterable[GameState], account_id: int, now: int
) -> Allowance:
    """Return the allowance of an account after a vacation of some days has begun.

    Raise ConflictError `on_vacation`, `not_enough_days` (with `days_left`) or `too_late` (with `game_id`).
    """
    if allowance.until(now) is not None:
        raise ConflictError("on_vacation", _("You are on vacation already. End it before you begin another."))
    left = allowance.days_left(now)
    if days > left:
        raise _not_enough(left)
    for game in games:
        if _time_left(game, account_id, now) < LEAST_LEFT:
            raise _too_late(game, account_id)
    return allowance.begun(days, now)


def _not_enough(left: int) -> AppError:
    return ConflictError(
        "not_enough_days",
        ngettext(
            "You have %(count)s day of vacation left. More are added in time.",
            "You have %(count)s days of vacation left. More are added in time.",
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


def _time_left(game: GameState, account_id: int, now: int) -> float:
    """Return the milliseconds that an account has for its move; infinite if it is not its turn."""
    player, clock = game.player_to_move, game.clock
    if clock is None or clock.running is None or player is None or player.id != account_id:
        return float("inf")
    return clock.read(now)[clock.running]
