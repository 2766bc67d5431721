"""How a game ended, in words: for its players from their side, for everyone else by name."""

from app.core.i18n.text import Text, _, ngettext
from app.core.moments import from_datetime
from app.play.games.decisions import PATIENCE
from app.play.games.game import GameState
from app.play.games.views import SPECTATOR
from app.play.games.wording import points_text
from engine.game import Side, Termination


def headline(state: GameState, role: str = SPECTATOR) -> Text:
    """Return how a finished game ended, as a role (a side, or spectator) reads it.

    For example "You lost by 11.5 points (12.5 to 24)", or "wren won: robin resigned".
    """
    assert state.result is not None
    winner, termination = state.result.winner, state.result.termination
    if termination == Termination.ABORT:
        return _aborted(state, role)
    if state.is_solitaire:
        return _solitaire(state, termination)
    if winner is None:
        first, second = (state.score[side] for side in state.rules.sides)
        return _("A draw, %(first)s to %(second)s", first=first, second=second)
    loser = state.other_side(winner)
    assert loser is not None
    if role == loser:
        return _lost(state, winner, loser)
    return _you_won(state, winner, loser) if role == winner else _won(state, winner, loser)


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


def _solitaire(state: GameState, termination: Termination) -> Text:
    points = points_text(state.score[Side.SOLO])
    if termination == Termination.RESIGN:
        return _("Given up: %(points)s", points=points)
    if termination == Termination.TIME:
        return _("The time is over: %(points)s", points=points)
    return _("No move is left: %(points)s", points=points)


def _lost(state: GameState, winner: Side, loser: Side) -> Text:
    match state.result.termination if state.result else None:
        case Termination.RESIGN:
            return _("You resigned")
        case Termination.TIME:
            return _("You ran out of time")
        case Termination.LEFT:
            return _("You lost, because you left")
    own, other = state.score[loser], state.score[winner]
    return ngettext(
        "You lost by %(count)s point (%(own)s to %(other)s)",
        "You lost by %(count)s points (%(own)s to %(other)s)",
        other - own,
        own=own,
        other=other,
    )


def _you_won(state: GameState, winner: Side, loser: Side) -> Text:
    opponent = state.player_at(loser).username
    match state.result.termination if state.result else None:
        case Termination.RESIGN:
            return _("You won: %(opponent)s resigned", opponent=opponent)
        case Termination.TIME:
            return _("You won: %(opponent)s ran out of time", opponent=opponent)
        case Termination.LEFT:
            return _("You won: %(opponent)s left", opponent=opponent)
    own, other = state.score[winner], state.score[loser]
    return ngettext(
        "You won by %(count)s point (%(own)s to %(other)s)",
        "You won by %(count)s points (%(own)s to %(other)s)",
        own - other,
        own=own,
        other=other,
    )


def _won(state: GameState, winner: Side, loser: Side) -> Text:
    player, opponent = state.player_at(winner).username, state.player_at(loser).username
    match state.result.termination if state.result else None:
        case Termination.RESIGN:
            return _("%(player)s won: %(opponent)s resigned", player=player, opponent=opponent)
        case Termination.TIME:
            return _("%(player)s won: %(opponent)s ran out of time", player=player, opponent=opponent)
        case Termination.LEFT:
            return _("%(player)s won: %(opponent)s left", player=player, opponent=opponent)
    own, other = state.score[winner], state.score[loser]
    return ngettext(
        "%(player)s won by %(count)s point (%(own)s to %(other)s)",
        "%(player)s won by %(count)s points (%(own)s to %(other)s)",
        own - other,
        player=player,
        own=own,
        other=other,
    )
