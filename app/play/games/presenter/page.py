"""The game page: whose turn it is, how a game has ended, and what a role may do."""

from collections.abc import Collection
from functools import cache, lru_cache
from hashlib import blake2b
from urllib.parse import urlencode

from app.core.errors import ConflictError
from app.core.i18n.formats import signed
from app.core.i18n.text import NO_TEXT, Text, _, ngettext
from app.core.moments import now, to_datetime
from app.core.realtime.presence import Attendance
from app.core.web.filters import clock_text, side_name
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.news import moves_text
from app.play.games.offers import PAUSE, TAKEBACK, Offer, taken_back_by
from app.play.games.refusals import unsettled
from app.play.games.views import (
    NO_OFFER,
    SPECTATOR,
    ActionsView,
    Again,
    AttendanceView,
    Count,
    Ending,
    GameView,
    HintView,
    LiveView,
    MoveKind,
    Obstacle,
    OfferView,
    TurnView,
)
from app.play.games.wording import control_text, headline, terms_text, undos_text
from engine.clock import CommonDeadline, DayDeadline
from engine.game import IllegalMove, Side

COLOURS = (Side.BLACK, Side.WHITE)
"""The sides that have names; in other games sides are known by their players."""

_ABORT = Ending(
    "abort", _("Abort"), _("Abort the game? It will not count for either player."), _("Abort the game")
)

_GIVE_UP = Ending(
    "resign", _("Give up"), _("Give the game up? It ends now and cannot be submitted."), _("Give the game up")
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
        first_steps=BOARDS[state.rules].first_steps if state.is_against_computer else (),
        pauses_when_hidden=role == SPECTATOR
        or state.is_solitaire
        or (state.is_correspondence and not state.result),  # once it is over, a rematch may be awaited
        shows_attendance=role == SPECTATOR or (state.is_awaited and not state.is_against_computer),
    )


def hint_view(state: GameState, role: str, move: str, version: int) -> HintView | None:
    """Return a hint as a page shows it to whose turn it is; None if it is for another version of the game."""
    if not _gets_hints(state, role) or version != state.version or move not in state.legal_moves:
        return None
    text = BOARDS[state.rules].describe(move, role, MoveKind.PLAIN, automatic=False)
    return HintView(move, text, version)


def live_view(state: GameState, role: str) -> LiveView:
    """Return what changes of a game on the page of a role, as it is now."""
    to_move = state.side_to_move
    return LiveView(
        version=state.version,
        ply=state.ply,
        status=state.status,
        move_id=move_id_of(state, role),
        turn=turn_view(state, to_move, role),
        actions=_actions(state, role, your_turn=to_move is not None and to_move == role),
    )


def move_id_of(state: GameState, role: str) -> str:
    """Return the identifier of the move that a role's page may send."""
    # uuid5 would take six times as long, at every drawing of the page.
    return blake2b(f"{state.id}:{state.version}:{role}".encode(), digest_size=16).hexdigest()


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
    state: GameState, role: str, attendance: Attendance, shown: Collection[int], claim_at: int | None
) -> AttendanceView:
    """Return who is at a game as one role sees it, which may see it of the accounts `shown` only."""
    rules = state.rules
    here = {
        side
        for side, player in zip(rules.sides, state.players, strict=True)
        if (player.id in attendance.accounts and player.id in shown) or player.level is not None
    }
    others = [side for side in rules.sides if side != role and state.player_at(side).id in shown]
    awaited = others if state.is_awaited else []
    people = [side for side in awaited if state.player_at(side).level is None and role != SPECTATOR]
    watching = attendance.accounts - {player.id for player in state.players}
    return AttendanceView(
        sides=tuple(side for side in rules.sides if side in here),
        here=tuple(state.player_at(side).username for side in people if side in here),
        away=tuple(state.player_at(side).username for side in awaited if side not in here),
        watching=len(watching) + attendance.strangers,
        claim_at=claim_at,
        claim_aborts=state.is_aborted_by_leaving,
        left=_("%(player)s has left the game.", player=opponent_of(state, role)),
    )


def opponent_of(state: GameState, role: str) -> str:
    """Return the name of who plays against a role, or nothing if that is nobody."""
    other = None if role == SPECTATOR else state.other_side(Side(role))
    return "" if other is None else state.player_at(other).username


def _ending(state: GameState, role: str) -> Ending | None:
    """Return how a player may end a running game; None if it is the one try at a board of the day."""
    if state.is_of_day:
        return None
    if state.may_be_aborted:
        return _ABORT
    return _GIVE_UP if state.is_solitaire else _resign(opponent_of(state, role))


@lru_cache(4096)
def _resign(opponent: str) -> Ending:
    question = _("Resign the game? %(player)s wins it at once.", player=opponent)
    return Ending("resign", _("Resign"), question, _("Resign the game"))


def _gets_hints(state: GameState, role: str) -> bool:
    return state.side_to_move == role and state.is_against_computer and not state.rated


def _actions(state: GameState, role: str, *, your_turn: bool) -> ActionsView:
    plays, is_over = role != SPECTATOR, state.result is not None
    may_decide_ahead = state.takes_conditions and not is_over and not state.is_against_computer
    return ActionsView(
        path=f"/games/{state.id}",
        moves=tuple(BOARDS[state.rules].actions(state.position)) if your_turn else (),
        ending=_ending(state, role) if plays and not is_over else None,
        takeback=offer_view(state, role, TAKEBACK),
        pause=offer_view(state, role, PAUSE),
        is_paused=plays and state.paused_until(now()) is not None,
        can_rematch=plays and is_over and not state.is_solitaire,
        undo_to=state.before_last_move_of(Side.SOLO) if plays and state.may_be_undone(now()) else None,
        version_to_submit=state.version if _may_submit(state) and plays else None,
        day_path=_day_path(state) if plays else "",
        can_ask_hint=_gets_hints(state, role),
        is_over=is_over,
        again=_again(state, role) if state.is_solitaire and not state.is_private(now()) else None,
        analysis_path=analysis_path(state, "turn") if is_over else "",
        can_review=state.plies_played > 0 and unsettled(state, now()) is None,
        can_share_board=plays
        and is_over
        and state.plies_played > 0
        and not (state.is_solitaire or state.is_against_computer),
        opponent="" if state.is_against_computer else opponent_of(state, role),
        conditions_path=f"/games/{state.id}/conditions" if plays and may_decide_ahead else "",
        tournament_path=f"/tournaments/{state.tournament_id}" if state.tournament_id else "",
    )


def _day_path(state: GameState) -> str:
    """Return the address of the day on whose board a game is played, or ""."""
    if not isinstance(state.control, DayDeadline):
        return ""
    path = f"/solitaire/daily/{state.game}"
    last_moment = to_datetime(state.control.until - 1)
    return path if state.is_private(now()) else f"{path}/{last_moment.date()}"


def _may_submit(state: GameState) -> bool:
    is_final = state.submitted or state.is_private(now())
    return state.is_solitaire and state.is_played_out and not is_final


def _again(state: GameState, role: str) -> Again:
    label = _("Play this board") if role == SPECTATOR else _("Play again")
    return Again(label, state.game, state.options["size"])


def analysis_path(state: GameState, at: int | str) -> str:
    """Return the address of the analysis board with the moves of the game, at a ply or a turning point."""
    moves = ",".join(played.move for played in state.moves)
    query = {**state.options, "players": len(state.players), "moves": moves, "at": at}
    return f"/analysis/{state.game}?{urlencode(query, safe=',')}"


def turn_view(state: GameState, to_move: Side | None, role: str) -> TurnView:
    """Return whose turn it is, as a role reads it."""
    is_yours = to_move is not None and to_move == role
    was_cut_short = state.result is not None and not state.is_played_out
    moment, first_move_by = now(), state.first_move_by
    paused_until = state.paused_until(moment)
    return TurnView(
        terms=_terms(state),
        text=_turn_text(state, to_move, is_yours=is_yours),
        is_yours=is_yours,
        note=NO_TEXT if was_cut_short else BOARDS[state.rules].note(state.position),
        count=_count(state, role) if state.result else None,
        paused_until=None if paused_until is None else to_datetime(paused_until),
        true_until=_true_until(state, moment),
        first_move_by=first_move_by,
        first_move_left="" if first_move_by is None else clock_text(max(0, first_move_by - moment)),
        race_path=f"/games/{state.id}/race" if state.is_race else "",
        ladder_path=f"/ladders/{state.game}" if state.on_ladder else "",
        scores_path=f"/scores/{state.game}/{state.options['size']}" if state.submitted else "",
        course_path=f"/learn/{state.game}" if _offers_course(state, role) else "",
    )


def _true_until(state: GameState, moment: int) -> int | None:
    """Return when a page says something else of the game if nothing happens in it, or None.

    That is when its day ends, or when a pause, a vacation or another stop of its clock begins or ends.
    """
    if isinstance(state.control, CommonDeadline):
        moments = [state.control.until]
    elif state.result or state.clock is None:
        return None
    else:
        ends = [state.paused_until(moment), *(player.vacation_until(moment) for player in state.players)]
        moments = [*filter(None, ends), *(state.clock.next_stop(moment) or ())]
    return min((each for each in moments if each > moment), default=None)


def _offers_course(state: GameState, role: str) -> bool:
    """Return whether the player is a guest who has yet to move and has time, or a beginner who lost."""
    if role == SPECTATOR:
        return False
    player = state.player_at(Side(role))
    if state.result is None:
        return player.is_guest and state.control is None and not state.has_begun
    has_lost = state.is_played_out and state.result.winner not in (None, role)
    return has_lost and (player.is_guest or bool(player.provisional))


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
    return Count(headline(state, role), sides, rows, _rating_change(state, role))


def _rating_change(state: GameState, role: str) -> Text:
    """Return by how much the game changed a player's rating, which other games may have changed meanwhile."""
    player = None if role == SPECTATOR else state.player_at(Side(role))
    if player is None or player.change is None:
        return NO_TEXT
    return _("Your rating changed by %(change)s.", change=signed(player.change))


def offer_view(state: GameState, role: str, offer: Offer) -> OfferView:
    """Return how far an offer has come as a role sees it, and what it is about."""
    if role == SPECTATOR or state.result or state.is_solitaire:
        return NO_OFFER
    asking = offer.by(state)
    if asking is not None:
        words = _of_takeback(state, asking, role) if offer is TAKEBACK else _of_pause(state, asking, role)
        return OfferView("asked" if asking == role else "asks", words, _leads_to(state, asking, offer))
    try:
        offer.grant(state, Side(role), now())
    except ConflictError:
        return NO_OFFER
    stage = "may take" if state.is_against_computer else "may ask"
    return OfferView(stage, takeback_to=_leads_to(state, Side(role), offer))


def _leads_to(state: GameState, asking: Side, offer: Offer) -> int | None:
    """Return the ply to which an offer of a side leads, None for one of a pause."""
    return state.before_last_move_of(asking) if offer is TAKEBACK else None


def _of_takeback(state: GameState, asking: Side, role: str) -> Text:
    moves = moves_text(taken_back_by(state, asking, Side(role)), opponent_of(state, role))
    if asking == role:
        return ngettext(
            "You have asked to take back %(count)s move: %(moves)s.",
            "You have asked to take back %(count)s moves: %(moves)s.",
            len(moves),
            moves=moves,
        )
    return ngettext(
        "%(player)s asks to take back %(count)s move: %(moves)s.",
        "%(player)s asks to take back %(count)s moves: %(moves)s.",
        len(moves),
        player=state.player_at(asking).username,
        moves=moves,
    )


def _of_pause(state: GameState, asking: Side, role: str) -> Text:
    if asking == role:
        return _("You have asked for a pause of 30 minutes at most.")
    player = state.player_at(asking).username
    return _("%(player)s asks for a pause of 30 minutes at most.", player=player)
