"""The game page: what a role sees of a game, and what it may do."""

from hashlib import blake2b
from urllib.parse import urlencode

from app.core.i18n.text import NO_TEXT, Text, _, joined
from app.core.moments import now
from app.core.realtime.presence import Attendance
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.offers import PAUSE, TAKEBACK
from app.play.games.presenter.offers import offer_view
from app.play.games.presenter.turn import turn_view
from app.play.games.views import (
    SPECTATOR,
    ActionsView,
    Again,
    AttendanceView,
    Ending,
    GameView,
    LiveView,
    Obstacle,
)
from engine.game import IllegalMove

_ABORT = Ending(
    "abort", _("Abort"), _("Abort the game? It will not count for either player."), _("Abort the game")
)

_GIVE_UP = Ending(
    "resign", _("Give up"), _("Give the game up? It ends now and cannot be submitted."), _("Give the game up")
)

_RESIGN = Ending(
    "resign", _("Resign"), _("Resign the game? Your opponent wins it at once."), _("Resign the game")
)


def role_of(state: GameState, account_id: int | None) -> str:
    """Return the side that an account plays, or `spectator`."""
    return state.side_of(account_id) or SPECTATOR


def game_view(state: GameState, role: str) -> GameView:
    """Return what stays the same of a game on the page of a role."""
    return GameView(
        id=state.id,
        title=state.rules.title,
        board_text=BOARDS[state.rules].size_text(state.options),
        role=role,
        players=tuple(zip(state.rules.sides, (player.username for player in state.players), strict=True)),
        key=state.game,
        switches=BOARDS[state.rules].switches,
        legend=BOARDS[state.rules].legend(),
        pauses_when_hidden=role == SPECTATOR or state.is_solitaire or state.is_correspondence,
    )


def live_view(state: GameState, role: str) -> LiveView:
    """Return what changes of a game on the page of a role, as it is now."""
    to_move = state.side_to_move
    actions = _actions(state, role, your_turn=to_move is not None and to_move == role)
    return LiveView(
        version=state.version,
        ply=state.ply,
        status=state.status,
        # uuid5 would take six times as long, at every drawing of the page.
        move_id=blake2b(f"{state.id}:{state.version}:{role}".encode(), digest_size=16).hexdigest(),
        turn=turn_view(state, to_move, role, asked=_asked(actions)),
        actions=actions,
    )


def obstacle_view(state: GameState, role: str, square: str) -> Obstacle | None:
    """Return why a square is closed to the side to move, as a role reads it; None if it is open."""
    if state.result is not None:
        return None
    try:
        state.rules.play(state.position, square)
    except IllegalMove as error:
        is_yours = role == state.side_to_move
        return BOARDS[state.rules].obstacle(state.position, square, error, is_yours=is_yours)
    return None


def attendance_view(
    state: GameState, role: str, attendance: Attendance, claim_in: int | None
) -> AttendanceView:
    """Return who is at a game as one role sees it."""
    rules = state.rules
    here = {
        side
        for side, player in zip(rules.sides, state.players, strict=True)
        if player.id in attendance.accounts or player.level is not None
    }
    others = attendance.accounts - {player.id for player in state.players}
    return AttendanceView(
        sides=tuple(side for side in rules.sides if side in here),
        away=tuple(
            state.player_at(side).username
            for side in rules.sides
            if side not in here and side != role and not state.is_solitaire
        ),
        watching=len(others) + attendance.strangers,
        claim_in=claim_in,
        claim_aborts=state.is_aborted_by_leaving,
    )


def _ending(state: GameState) -> Ending:
    """Return how a player may end a running game."""
    if state.may_be_aborted:
        return _ABORT
    return _GIVE_UP if state.is_solitaire else _RESIGN


def _asked(actions: ActionsView) -> Text:
    """Return what the opponent asks for, or an empty text."""
    asked = [offer.text for offer in (actions.takeback, actions.pause) if offer.state == "asks"]
    return joined(*asked) if asked else NO_TEXT


def _actions(state: GameState, role: str, *, your_turn: bool) -> ActionsView:
    plays, is_over = role != SPECTATOR, state.result is not None
    may_decide_ahead = state.takes_conditions and not is_over and not state.is_against_computer
    return ActionsView(
        path=f"/games/{state.id}",
        moves=tuple(BOARDS[state.rules].actions(state.position)) if your_turn else (),
        ending=_ending(state) if plays and not is_over else None,
        takeback=offer_view(state, role, TAKEBACK),
        pause=offer_view(state, role, PAUSE),
        is_paused=plays and state.paused_until(now()) is not None,
        can_rematch=plays and is_over and not state.is_solitaire,
        can_undo=plays and state.may_be_undone,
        can_submit=plays and state.is_solitaire and state.is_played_out and not state.submitted,
        can_ask_hint=your_turn and state.is_against_computer and not state.rated,
        is_over=is_over,
        again=_again(state, role) if state.is_solitaire else None,
        analysis_path=analysis_path(state, "turn") if is_over else "",
        has_moves=state.plies_played > 0,
        can_share_board=plays and is_over and not state.is_solitaire and not state.is_against_computer,
        can_report=plays and not state.is_solitaire and not state.is_against_computer,
        conditions_path=f"/games/{state.id}/conditions" if plays and may_decide_ahead else "",
        tournament_path=f"/tournaments/{state.tournament_id}" if state.tournament_id else "",
    )


def _again(state: GameState, role: str) -> Again:
    label = _("Play this board") if role == SPECTATOR else _("Play again")
    return Again(label, state.game, state.options["size"])


def analysis_path(state: GameState, at: int | str) -> str:
    """Return the address of the analysis board with the moves of the game, at a ply or a turning point."""
    moves = ",".join(played.move for played in state.moves)
    query = {**state.options, "players": len(state.players), "moves": moves, "at": at}
    return f"/analysis/{state.game}?{urlencode(query, safe=',')}"
