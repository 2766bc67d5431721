"""Ratings, clocks, points and results as players read them."""

from collections.abc import Mapping
from functools import lru_cache

from app.core.i18n.text import Text, _, ngettext
from app.core.moments import from_datetime
from app.core.web.filters import clock_text
from app.play.games.decisions import PATIENCE
from app.play.games.game import GameState
from app.play.games.views import SPECTATOR
from engine.clock import (
    Byoyomi,
    Correspondence,
    DayDeadline,
    DaysBank,
    PerMove,
    Realtime,
    TimeControl,
)
from engine.game import Side, Termination
from engine.glicko2 import Rating
from engine.speed import Speed

SPEEDS: Mapping[Speed, Text] = {
    Speed.BLITZ: _("Blitz"),
    Speed.RAPID: _("Rapid"),
    Speed.CORRESPONDENCE: _("Correspondence"),
}
"""The names of the speeds of games."""


def rating_text(rating: Rating) -> str:
    """Return a rating as players read it: 1512, or 1512? while it is provisional."""
    return f"{rating.rating:.0f}{'?' if rating.is_provisional else ''}"


def uncertainty(rating: Rating) -> int:
    """Return by how many points a player's strength may differ from a rating, as players read it: ±128."""
    return round(2 * rating.deviation)


def control_text(control: TimeControl | None) -> Text:
    """Return a time control in words: 5+5, 3 days per move, no clock."""
    text = _control_text(control)
    if isinstance(control, Correspondence | DaysBank) and control.weekends_off:
        return _("%(clock)s, weekends off", clock=text)
    return text


def _control_text(control: TimeControl | None) -> Text:
    match control:
        case Byoyomi() | Realtime():
            return Text(str(control))
        case PerMove(seconds):
            return ngettext("%(count)s second per move", "%(count)s seconds per move", seconds)
        case Correspondence(days):
            return ngettext("%(count)s day per move", "%(count)s days per move", days)
        case DaysBank(days, increment, most):
            return _("%(days)s+%(bonus)s days, up to %(most)s", days=days, bonus=increment, most=most)
    if control is None:
        return _("no clock")
    return _("until midnight UTC") if isinstance(control, DayDeadline) else _("a race")


def clock_code(control: TimeControl | None) -> str:
    """Return a time control for the header of a record (docs/game-record.md): 300+5, 3d, or - for none."""
    match control:
        case Realtime(limit, increment):
            return f"{limit}+{increment}"
        case Byoyomi(limit, periods, period):
            return f"{limit}+{periods}x{period}"
        case PerMove(seconds):
            return f"{seconds}/move"
        case Correspondence(days, weekends_off):
            return f"{days}d{' weekdays' * weekends_off}"
        case DaysBank(days, increment, most, weekends_off):
            return f"{days}d+{increment}d<={most}d{' weekdays' * weekends_off}"
    return "-"


def byoyomi_text(control: Byoyomi, left: int) -> str:
    """Return the main time, or the time of this period, with the periods left: 4:59 ×3."""
    shown, periods = control.split(left)
    return f"{clock_text(shown)} ×{periods}"


@lru_cache(256)
def points_text(points: float) -> Text:
    """Return points as players read them: 1 point, 24 points, 3.5 points."""
    return ngettext("%(count)s point", "%(count)s points", points)


@lru_cache(256)
def terms_text(control: TimeControl | None, *, rated: bool) -> Text:
    """Return the terms of a game: Rated, 5+5."""
    clock = control_text(control)
    return _("Rated, %(clock)s", clock=clock) if rated else _("Casual, %(clock)s", clock=clock)


def undos_text(undos: int) -> Text:
    """Return how many moves were taken back: 2 moves taken back."""
    return ngettext("%(count)s move taken back", "%(count)s moves taken back", undos)


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
