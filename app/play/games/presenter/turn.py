"""Whose turn it is, on which terms, and how a game has ended."""

from functools import cache, lru_cache

from app.core.i18n.text import NO_TEXT, Text, _
from app.core.moments import now, to_datetime
from app.core.web.filters import side_name
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.results import headline
from app.play.games.views import SPECTATOR, Count, TurnView
from app.play.games.wording import clock_text, control_text, terms_text, undos_text
from engine.game import Side

COLOURS = (Side.BLACK, Side.WHITE)
"""The sides that have names; in other games sides are known by their players."""


def turn_view(state: GameState, to_move: Side | None, role: str, *, asked: Text) -> TurnView:
    """Return whose turn it is, as a role reads it, and what its opponent asks for."""
    is_yours = to_move is not None and to_move == role
    was_cut_short = state.result is not None and not state.is_played_out
    moment, first_move_by = now(), state.first_move_by
    paused_until = state.paused_until(moment)
    return TurnView(
        terms=_terms(state),
        text=_turn_text(state, to_move, is_yours=is_yours),
        is_yours=is_yours,
        note=NO_TEXT if was_cut_short else BOARDS[state.rules].note(state.position),
        asked=asked,
        count=_count(state, role) if state.result else None,
        paused_until=None if paused_until is None else to_datetime(paused_until),
        first_move_by=first_move_by,
        first_move_left="" if first_move_by is None else clock_text(max(0, first_move_by - moment)),
        race_path=f"/games/{state.id}/race" if state.is_race else "",
        ladder_path=f"/ladders/{state.game}" if state.on_ladder else "",
        scores_path=f"/scores/{state.game}/{state.options['size']}" if state.submitted else "",
        course_path=f"/learn/{state.game}" if _offers_course(state, role) else "",
    )


def _offers_course(state: GameState, role: str) -> bool:
    """Return whether the player is a guest who has yet to move and has time, or a beginner who has lost."""
    if role == SPECTATOR:
        return False
    player = state.player_at(Side(role))
    if state.result is None:
        return player.is_guest and state.control is None and not state.has_begun
    return state.result.winner not in (None, role) and (player.is_guest or bool(player.provisional))


def terms_for_two(state: GameState) -> Text:
    """Return the clock of a game, and whether it is rated."""
    if state.voided:
        return _("Voided by a moderator: it does not count. %(clock)s", clock=control_text(state.control))
    if state.status == "finished" and state.is_too_short_to_rate:
        return _("Too short to be rated. %(clock)s", clock=control_text(state.control))
    return terms_text(state.control, rated=state.rated)


def _terms(state: GameState) -> Text:
    """Return the terms of the game: "Rated, 5+5"; in a solitaire game the board and the moves taken back."""
    if not state.is_solitaire:
        return terms_for_two(state)
    board = board_text(state)
    if not state.undos:
        return board
    return _("%(board)s, %(undos)s", board=board, undos=undos_text(state.undos))


def board_text(state: GameState) -> Text:
    """Return the game and its board: "JadeJack 9×9"."""
    size = BOARDS[state.rules].size_text(state.options)
    return _("%(game)s %(board)s", game=state.rules.title, board=size)


def _turn_text(state: GameState, to_move: Side | None, *, is_yours: bool) -> Text:
    if to_move is None:
        return _("The game is over")
    if is_yours:
        return _("Your move") if state.is_solitaire else _your_turn(to_move)
    player = state.player_at(to_move)
    if state.is_solitaire:
        return _("%(player)s is playing", player=player.username)
    if player.level is not None:
        return _("%(player)s is thinking…", player=player.username)
    return _is_to_move(player.username)


@cache
def _your_turn(side: Side) -> Text:
    return _("Your turn (%(side)s)", side=side_name(side)) if side in COLOURS else _("Your turn")


@lru_cache(4096)
def _is_to_move(player: str) -> Text:
    return _("%(player)s is to move", player=player)


def _count(state: GameState, role: str) -> Count:
    rows = BOARDS[state.rules].count_rows(state.position) if state.is_played_out else ()
    sides = tuple(
        side_name(side) if side in COLOURS else state.player_at(side).username for side in state.rules.sides
    )
    return Count(headline(state, role), sides, rows)
