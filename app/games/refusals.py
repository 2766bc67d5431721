"""Why a player may not do something: each refusal with its code and a sentence that says what to do."""

from uuid import UUID

from app.errors import ConflictError, ForbiddenError, InvalidError
from app.games.game import GameState
from app.games.snapshot import snapshot
from engine.clock import CommonDeadline
from engine.game import IllegalMove, MoveSyntaxError, Side


def side_of(state: GameState, account_id: int) -> Side:
    """Give the side that an account plays. Raises ForbiddenError `not_a_player`."""
    side = state.side_of(account_id)
    if side is None:
        raise ForbiddenError("not_a_player", "You are watching this game; only its players may do that.")
    return side


def was_played(state: GameState, account_id: int, move: str, ply: int, move_id: UUID) -> bool:
    """Tell whether just this move was played already.

    Raises ConflictError `stale_ply` or `move_id_reused` when another move has its name.
    """
    for number, played in enumerate(state.moves):
        if played.move_id == move_id:
            side_of(state, account_id)
            if (played.move, number) == (move, ply):
                return True
            if number == ply:
                raise _stale(state)
            raise ConflictError("move_id_reused", "That move_id belongs to another move; make a fresh one.")
    return False


def check_under_way(state: GameState) -> None:
    """Raise ConflictError `game_over` for a game that has ended."""
    if state.result:
        raise _game_over(state)


def check_undo(state: GameState) -> None:
    """Raise ConflictError unless the last move of a game for one may be taken back."""
    if state.is_race:
        raise ConflictError("race_stands", "In a race every number stands.")
    if state.submitted:
        raise ConflictError("submitted", "This game was submitted for a record, so it stands as it is.")
    if state.result and not state.is_played_out:
        raise _game_over(state)
    if not state.may_be_undone:
        raise ConflictError("nothing_to_take_back", "You have made no move that could be taken back.")


def check_submission(state: GameState, side: Side, at: int) -> None:
    """Raise ConflictError or ForbiddenError unless a game may be submitted at a moment."""
    if not state.is_solitaire:
        raise ConflictError("not_solitaire", "Only a game for one can be submitted for a record.")
    if state.submitted:
        raise ConflictError("submitted", "This game was submitted already.")
    if not state.is_played_out:
        raise ConflictError("not_played_out", "Play on: a game can be submitted once no number can follow.")
    if isinstance(state.control, CommonDeadline) and at < state.control.until:
        raise ConflictError("race_under_way", "Submit this game once the race is over.")
    if state.player_at(side).is_guest:
        raise ForbiddenError(
            "needs_account",
            "Records stand under a name. Register; this game stays yours, and submit it then.",
        )


def check_takeback(state: GameState, side: Side) -> None:
    """Raise ConflictError unless a side may ask for a takeback."""
    if state.takeback == side:
        raise ConflictError("already_asked", "You have asked already; your opponent has not answered yet.")
    if state.before_last_move_of(side) is None:
        raise ConflictError("nothing_to_take_back", "You have made no move that could be taken back.")
    if state.taken_back_to == state.ply:
        raise ConflictError(
            "just_taken_back", "A move was taken back just now. Play on before you ask for another."
        )


def after_move(state: GameState, account_id: int, move: str, ply: int, move_id: UUID, at: int) -> GameState:
    """Give the game after an account's move at a moment.

    Raises FlagFallen, and for what stands in its way the errors of `Games.play_move`.
    """
    side = side_of(state, account_id)
    if state.result:
        raise _game_over(state)
    if ply != state.ply:
        raise _stale(state)
    if side != state.side_to_move:
        raise ForbiddenError("not_your_turn", "It is the other side's turn.")
    try:
        return state.after(move, move_id, at)
    except MoveSyntaxError as error:
        raise InvalidError("move_syntax", str(error)) from None
    except IllegalMove as error:
        raise InvalidError("illegal_move", str(error), extra={"reason": error.reason}) from None


def _stale(state: GameState) -> ConflictError:
    return ConflictError(
        "stale_ply",
        "The game has moved on since you looked. Here is how it stands now.",
        extra={"snapshot": snapshot(state)},
    )


def _game_over(state: GameState) -> ConflictError:
    return ConflictError(
        "game_over",
        "This game is over; no more moves can be made in it.",
        extra={"snapshot": snapshot(state)},
    )
