"""How a game ended, in words: for its players from their side, for everyone else by name."""

from app.games.decisions import PATIENCE
from app.games.game import GameState
from app.games.views import SPECTATOR
from app.games.wording import points_text
from app.i18n.text import Text, _
from app.moments import from_datetime
from engine.game import Side, Termination

_SOLITAIRE_END = {Termination.RESIGN: "Given up", Termination.TIME: "The time is over"}
_PLAYED_OUT = "No number can follow"  # the games for one player are number games


def headline(state: GameState, role: str = SPECTATOR) -> str:
    """Return how a finished game ended, as a role (a side, or spectator) reads it.

    For example "You lost by 11.5 points (12.5 to 24)", or "wren won by resignation".
    """
    assert state.result is not None
    winner, termination = state.result.winner, state.result.termination
    if termination == Termination.ABORT:
        return _aborted(state, role)
    if state.is_solitaire:
        return f"{_SOLITAIRE_END.get(termination, _PLAYED_OUT)}: {points_text(state.score[Side.SOLO])}"
    if winner is None:
        return f"A draw, {_score(state, state.rules.sides[0])}"
    loser = state.other_side(winner)
    assert loser is not None
    if role == loser:
        return f"You {_lost(state, winner, loser)}"
    return f"{'You' if role == winner else state.player_at(winner).username} {_won(state, winner, loser)}"


def _aborted(state: GameState, role: str) -> Text:
    """Return who aborted a game, or who let it wait for a move."""
    by = state.aborted_by
    if state.is_against_computer:
        by = next(side for side in state.rules.sides if state.player_at(side).level is None)
    if by is None:
        return _("The game was aborted")
    player = state.player_at(by).username
    if by == state.rules.side_to_move(state.position) and _has_waited(state, by):
        return _("Aborted: %(player)s made no move in time", player=player)
    return _("You aborted the game") if by == role else _("%(player)s aborted the game", player=player)


def _has_waited(state: GameState, mover: Side) -> bool:
    """Return whether an aborted game had waited for a move until the time, or patience, was over."""
    if state.clock is None:
        return False
    began = state.moves[-1].at if state.moves else from_datetime(state.created_at)
    is_out_of_time = state.clock.left[state.rules.sides.index(mover)] == 0
    return is_out_of_time or (state.is_realtime and state.clock.since - began > PATIENCE)


def _won(state: GameState, winner: Side, loser: Side) -> str:
    opponent = state.player_at(loser).username
    match state.result.termination if state.result else None:
        case Termination.RESIGN:
            return f"won: {opponent} resigned"
        case Termination.TIME:
            return f"won: {opponent} ran out of time"
        case Termination.LEFT:
            return f"won: {opponent} left"
    return f"won by {_margin(state, winner, loser)} ({_score(state, winner)})"


def _lost(state: GameState, winner: Side, loser: Side) -> str:
    match state.result.termination if state.result else None:
        case Termination.RESIGN:
            return "resigned"
        case Termination.TIME:
            return "ran out of time"
        case Termination.LEFT:
            return "lost, because you left"
    return f"lost by {_margin(state, winner, loser)} ({_score(state, loser)})"


def _margin(state: GameState, winner: Side, loser: Side) -> str:
    return points_text(state.score[winner] - state.score[loser])


def _score(state: GameState, side: Side) -> str:
    """Return the points of a side and of the other one: "24 to 12.5"."""
    other = state.other_side(side)
    assert other is not None
    return f"{state.score[side]:g} to {state.score[other]:g}"
