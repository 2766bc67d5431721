"""What a game refuses in several places: commands for a state that it is past, and moves that are none."""

from app.core.errors import AppError, ConflictError, InvalidError
from app.core.i18n.text import Text, _, reason_of
from app.play.games.game import GameState
from engine.game import IllegalMove, MoveSyntaxError


class GameMovedOn(ConflictError):  # noqa: N818 - a refusal, named for what happened
    """The command was given for an earlier state of the game; `state` is the current one."""

    def __init__(self, code: str, message: Text, state: GameState) -> None:
        super().__init__(code, message)
        self.state = state


def stale_ply(state: GameState) -> GameMovedOn:
    """Return the refusal of a move that was made for another ply."""
    return GameMovedOn(
        "stale_ply", _("The game has moved on since you looked. This is its current state."), state
    )


def game_over(state: GameState) -> GameMovedOn:
    """Return the refusal of a command that comes after the end of the game."""
    return GameMovedOn("game_over", _("This game is over; no more moves can be made in it."), state)


def unsettled(state: GameState, moment: int) -> ConflictError | None:
    """Return `not_over` while a game can change, or its board is private. None when it may be judged."""
    if state.result is None:
        return ConflictError("not_over", _("This game is not over yet. Finish it first."))
    if state.is_private(moment):
        return ConflictError("not_over", _("This board is private until its day or its race is over."))
    if state.may_be_undone(moment):
        return ConflictError("not_over", _("Submit the score first: then the game is over for good."))
    return None


def move_id_reused() -> AppError:
    """Return the refusal of a move whose identifier belongs to another move of the game."""
    return ConflictError("move_id_reused", Text("That move_id belongs to another move; use a new one."))


def invalid_move(error: MoveSyntaxError | IllegalMove) -> AppError:
    """Return the refusal of a move that the rules do not allow, `move_syntax` or `illegal_move`."""
    if isinstance(error, IllegalMove):
        return InvalidError("illegal_move", reason_of(error), extra={"reason": error.reason})
    return InvalidError("move_syntax", reason_of(error))
