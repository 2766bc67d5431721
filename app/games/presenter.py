"""Games as pages show them: one view for each role and version, shared by everyone in the role."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache, lru_cache
from urllib.parse import urlencode
from uuid import NAMESPACE_URL, uuid5

from cachetools import LRUCache, cached
from markupsafe import Markup

from app.games.boards import BOARDS
from app.games.forms import WatchFilter
from app.games.game import GameState, Player
from app.games.queries import GameSummary, has_begun, watched
from app.games.results import headline
from app.games.service import Games
from app.games.views import (
    SPECTATOR,
    ActionsView,
    Again,
    AttendanceView,
    Count,
    Ending,
    GameCard,
    GameView,
    MiniView,
    MoveKind,
    MoveRow,
    Obstacle,
    ReplayView,
    SeatClock,
    SeatView,
    TurnView,
)
from app.games.wording import (
    byoyomi_text,
    change_text,
    clock_text,
    control_text,
    points_text,
    rating_text,
    terms_text,
    undos_text,
)
from app.i18n.languages import current
from app.i18n.text import NO_TEXT, Text, _, listed, ngettext
from app.moments import now, to_datetime
from app.realtime.presence import Attendance
from app.web.filters import side_name
from engine.clock import Byoyomi, Clock, Correspondence, DaysBank, PerMove, Realtime
from engine.game import IllegalMove, Side
from engine.glicko2 import Rating
from engine.registry import rules_for

MOST_MINIS = 12
"""The most games that are shown as small boards at once."""

_MOST_PICTURED = 4
_SHOWN_FROM = 1000  # milliseconds; a move in a game without a clock that took less shows no time
_COLOURS = (Side.BLACK, Side.WHITE)  # the sides of other games are known by their players
_LOW_DAY = 6 * 60 * 60 * 1000  # milliseconds; a correspondence clock warns from here on

_OUTCOMES = {"won": _("won"), "lost": _("lost"), "draw": _("draw"), "aborted": _("aborted")}
_ABORT = Ending(
    "abort", _("Abort"), _("Abort the game? It will not count for either player."), _("Abort the game")
)
_GIVE_UP = Ending(
    "resign", _("Give up"), _("Give the game up? It ends now and cannot be submitted."), _("Give the game up")
)
_RESIGN = Ending(
    "resign", _("Resign"), _("Resign the game? Your opponent wins it at once."), _("Resign the game")
)


def game_cards(games: Iterable[GameSummary]) -> list[GameCard]:
    """Return a list of games, those first in which it is the account's turn, the most urgent at the top.

    Solitaire games, for which nobody waits, come after those in which it is the account's turn.
    """
    urgent = sorted(
        games,
        key=lambda game: (not game.is_my_turn, not game.opponent, not game.deadline, game.deadline or 0),
    )
    return [game_card(game) for game in urgent]


def pictured_cards(games: Iterable[GameSummary]) -> list[GameCard]:
    """Return the same list with small boards of the first games."""
    summaries = {game.id: game for game in games}
    cards = game_cards(summaries.values())
    pictured = [replace(card, picture=_picture(summaries[card.id])) for card in cards[:_MOST_PICTURED]]
    return [*pictured, *cards[_MOST_PICTURED:]]


@cached(LRUCache(512), key=lambda game: (game.id, game.ply, game.updated_at, current()))
def _picture(game: GameSummary) -> Markup:
    rules = rules_for(game.game, 2 if game.opponent else 1)
    return BOARDS[rules].draw(game.position, last_move=None, playable=False, finished=False, live=False)


def game_card(game: GameSummary) -> GameCard:
    """Return one line of a list of games."""
    rules = rules_for(game.game, 2 if game.opponent else 1)
    return GameCard(
        id=game.id,
        title=rules.title,
        board=BOARDS[rules].size_text(game.options),
        opponent=game.opponent or "",
        side=game.side,
        status=game.status,
        your_turn=game.is_my_turn,
        ply=game.ply,
        updated_at=game.updated_at,
        clock=terms_text(game.control, rated=game.rated),
        deadline=game.deadline,
        outcome=_outcome(game),
        result=_result_text(game),
        change=None if game.change is None else change_text(game.change),
    )


def _outcome(game: GameSummary) -> str:
    if game.status in ("aborted", "started"):
        return "" if game.status == "started" else "aborted"
    if game.points is not None:
        return "scored"
    if game.winner is None:
        return "draw"
    return "won" if game.winner == game.side else "lost"


def _result_text(game: GameSummary) -> Text | None:
    return _OUTCOMES.get(_outcome(game)) if game.points is None else points_text(game.points)


def role_of(state: GameState, account_id: int | None) -> str:
    """Return the side that an account plays, or `spectator`."""
    return state.side_of(account_id) or SPECTATOR


def game_view(state: GameState, role: str) -> GameView:
    """Return a game as one role sees it now."""
    to_move = state.side_to_move
    your_turn = to_move is not None and to_move == role
    return GameView(
        id=state.id,
        title=state.rules.title,
        board_text=BOARDS[state.rules].size_text(state.options),
        status=state.status,
        role=role,
        version=state.version,
        ply=state.ply,
        move_id=str(uuid5(NAMESPACE_URL, f"gorrion:{state.id}:{state.version}:{role}")),
        players=tuple(zip(state.rules.sides, (player.username for player in state.players), strict=True)),
        turn=_turn(state, to_move, role),
        actions=_actions(state, role, your_turn=your_turn),
        key=state.game,
        switches=BOARDS[state.rules].switches,
        legend=BOARDS[state.rules].legend(),
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


def seat_views(state: GameState) -> tuple[SeatView, ...]:
    """Return the players' bars in order of play, with their clocks as they are now."""
    moment = now()
    return tuple(_seat(state, side, moment) for side in state.rules.sides)


def move_rows(state: GameState, after: int = 0) -> list[MoveRow]:
    """Return the lines of the move list that follow a ply."""
    moves = state.moves[after:]
    kinds = BOARDS[state.rules].kinds(state.position, [played.move for played in moves])
    return [
        MoveRow(ply, state.mover_of(ply), played.move, kind, played.automatic, _spent(state, ply))
        for ply, (played, kind) in enumerate(zip(moves, kinds, strict=True), after + 1)
    ]


def live_board(state: GameState) -> Markup:
    """Return the board of the game page, with buttons where the side to move may play."""
    return _board(state, live=True)


def _board(state: GameState, *, live: bool) -> Markup:
    return BOARDS[state.rules].draw(
        state.position,
        last_move=state.moves[-1].move if state.moves else None,
        playable=live and state.result is None,
        finished=state.is_played_out,
        live=live,
    )


@cached(LRUCache(512), key=lambda state: (state.id, state.version, current()))
def mini_view(state: GameState) -> MiniView:
    """Return a game as a small board, built once for each version and language."""
    return MiniView(
        id=state.id,
        title=_board_text(state),
        names=tuple(
            (seat.side, seat.username, seat.rating or seat.mark or "", seat.score)
            for seat in seat_views(state)
        ),
        terms=_terms_for_two(state),
        state=headline(state) if state.result else _("ply %(ply)s", ply=state.ply),
        board=_board(state, live=False),
    )


async def featured(games: Games) -> list[MiniView]:
    """Return the running game that the home page shows, if there is one."""
    return [mini_view(state) for state in await games.to_watch(has_begun(), limit=1)]


async def games_to_watch(games: Games, wanted: WatchFilter) -> tuple[list[MiniView], bool]:
    """Return a page of running games as small boards, and whether there is a next one."""
    states = await games.to_watch(
        *watched(wanted.game, wanted.rated, wanted.players),
        limit=MOST_MINIS + 1,
        offset=MOST_MINIS * (wanted.number - 1),
    )
    return [mini_view(state) for state in states[:MOST_MINIS]], len(states) > MOST_MINIS


def replay_view(state: GameState, ply: int) -> ReplayView:
    """Return a past ply of a game; `ply` is between 0 and the game's current ply."""
    rules, board = state.rules, BOARDS[state.rules]
    position = state.position_after(ply)
    last = state.moves[ply - 1] if ply else None
    move_text = _("the start")
    if last is not None:
        (kind,) = board.kinds(position, [last.move])
        move_text = _told(state, last.move, state.mover_of(ply), kind, automatic=last.automatic)
        if last.spent is not None:
            move_text = _("%(move)s, after %(time)s", move=move_text, time=clock_text(last.spent))
    return ReplayView(
        path=f"/games/{state.id}",
        ply=ply,
        last_ply=state.ply,
        text=_("Ply %(ply)s of %(last)s: %(move)s", ply=ply, last=state.ply, move=move_text),
        scores=tuple((side, rules.score(position)[side]) for side in rules.sides),
        board=board.draw(
            position, last_move=last.move if last else None, playable=False, finished=False, live=False
        ),
    )


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
    )


def _ending(state: GameState) -> Ending:
    """Return how a player may end a running game."""
    if state.may_be_aborted:
        return _ABORT
    return _GIVE_UP if state.is_solitaire else _RESIGN


def _takeback(state: GameState, role: str) -> str:
    if role == SPECTATOR or not state.may_take_back or state.result or state.is_solitaire:
        return ""
    if state.takeback is not None:
        return "asked" if state.takeback == role else "asks"
    may_ask = state.before_last_move_of(Side(role)) is not None and state.taken_back_to != state.ply
    if not may_ask:
        return ""
    return "may take" if state.is_against_computer else "may ask"


def _pause(state: GameState, role: str) -> str:
    if role == SPECTATOR or not state.may_be_paused:
        return ""
    if state.paused_until(now()) is not None:
        return "paused"
    if state.pause is not None:
        return "asked" if state.pause == role else "asks"
    return "may ask"


def _seat_clock(state: GameState, seat: int, moment: int) -> SeatClock | None:
    clock = state.clock
    if clock is None:
        return None
    left = clock.read(moment)[seat]
    is_running = clock.running == seat and not (clock.opening and state.is_realtime)
    stop = clock.next_stop(moment) if is_running else None
    byoyomi = clock.control if isinstance(clock.control, Byoyomi) else None
    return SeatClock(
        left=left,
        text=byoyomi_text(byoyomi, left) if byoyomi else clock_text(left),
        deadline=None if not is_running else moment + left if stop else clock.deadline,
        low=_low(clock),
        stop=None if stop is None else (max(stop[0], moment), stop[1]),
        stopped_until=None if stop is None or moment < stop[0] else to_datetime(stop[1]),
        periods=(byoyomi.periods, byoyomi.period * 1000) if byoyomi else None,
    )


def _low(clock: Clock) -> int:
    """Return the milliseconds below which a clock warns."""
    match clock.control:
        case Realtime(limit):
            return min(60_000, limit * 100)
        case Correspondence() | DaysBank():
            return _LOW_DAY
        case Byoyomi(_, _, seconds) | PerMove(seconds):
            return min(10_000, seconds * 300)
    return 60_000


def _seat(state: GameState, side: Side, moment: int) -> SeatView:
    player = state.player_at(side)
    rating = None if player.rating is None else Rating(player.rating, player.deviation or 0.0)
    to_move = side == state.side_to_move
    won = state.result is not None and state.result.winner == side
    vacation_until = player.vacation_until(moment)
    return SeatView(
        side=side,
        username=player.username,
        mark=_mark(player),
        to_move=to_move,
        score=state.score[side],
        score_note=BOARDS[state.rules].score_note(state.position, side) or _unit(state.score[side]),
        won=won,
        state=_seat_state(side, to_move=to_move, won=won),
        rating="" if rating is None or player.is_guest or player.level else rating_text(rating),
        change="" if player.change is None else change_text(player.change),
        clock=_seat_clock(state, state.rules.sides.index(side), moment),
        vacation_until=None if vacation_until is None or state.result else to_datetime(vacation_until),
    )


@lru_cache(256)
def _unit(points: float) -> Text:
    return ngettext("point", "points", points)


@cache
def _seat_state(side: Side, *, to_move: bool, won: bool) -> Text:
    """Return what is said of a player beside the name: "Black, to move"."""
    if side == Side.SOLO:
        return _("solo")
    words = [side_name(side)] if side in _COLOURS else []
    return listed(*words, *[_("won")] * won, *[_("to move")] * to_move)


def _mark(player: Player) -> Text | None:
    if player.level is not None:
        return _("computer, level %(level)s", level=player.level)
    return _("computer") if player.is_computer else None


def _turn(state: GameState, to_move: Side | None, role: str) -> TurnView:
    is_yours = to_move is not None and to_move == role
    was_cut_short = state.result is not None and not state.is_played_out
    paused_until = state.paused_until(now())
    return TurnView(
        terms=_terms(state),
        text=_turn_text(state, to_move, is_yours=is_yours),
        is_yours=is_yours,
        note=NO_TEXT if was_cut_short else BOARDS[state.rules].note(state.position),
        sides=tuple(
            side_name(side) if side in _COLOURS else state.player_at(side).username
            for side in state.rules.sides
        ),
        count=_count(state, role) if state.result else None,
        paused_until=None if paused_until is None else to_datetime(paused_until),
        first_move_by=state.first_move_by,
        race_path=f"/games/{state.id}/race" if state.is_race else "",
        scores_path=f"/scores/{state.game}/{state.options['size']}" if state.submitted else "",
        course_path=f"/learn/{state.game}" if _is_beginner_who_lost(state, role) else "",
    )


def _is_beginner_who_lost(state: GameState, role: str) -> bool:
    if role == SPECTATOR or state.result is None or state.result.winner in (None, role):
        return False
    player = state.player_at(Side(role))
    return player.is_guest or bool(player.provisional)


def _terms_for_two(state: GameState) -> Text:
    if state.voided:
        return _("Voided by a moderator: it does not count. %(clock)s", clock=control_text(state.control))
    return terms_text(state.control, rated=state.rated)


def _terms(state: GameState) -> Text:
    """Return the terms of the game: "Rated, 5+5"; in a solitaire game the board and the moves taken back."""
    if not state.is_solitaire:
        return _terms_for_two(state)
    board = _board_text(state)
    if not state.undos:
        return board
    return _("%(board)s, %(undos)s", board=board, undos=undos_text(state.undos))


def _board_text(state: GameState) -> Text:
    """Return the game and its board: "JadeJack 9×9"."""
    size = BOARDS[state.rules].size_text(state.options)
    return _("%(game)s %(board)s", game=state.rules.title, board=size)


def _turn_text(state: GameState, to_move: Side | None, *, is_yours: bool) -> Text:
    if to_move is None:
        return _("The game is over")
    if state.is_solitaire:
        return _("Your move") if is_yours else _("%(player)s is playing", player=state.players[0].username)
    player = state.player_at(to_move)
    if is_yours:
        return _("Your turn (%(side)s)", side=side_name(to_move)) if to_move in _COLOURS else _("Your turn")
    if player.level is not None:
        return _("%(player)s is thinking…", player=player.username)
    return _("%(player)s is to move", player=player.username)


def _actions(state: GameState, role: str, *, your_turn: bool) -> ActionsView:
    plays, is_over = role != SPECTATOR, state.result is not None
    may_decide_ahead = state.takes_conditions and not is_over
    return ActionsView(
        path=f"/games/{state.id}",
        moves=tuple(BOARDS[state.rules].actions(state.position)) if your_turn else (),
        ending=_ending(state) if plays and not is_over else None,
        takeback=_takeback(state, role),
        pause=_pause(state, role),
        can_rematch=plays and is_over and not state.is_solitaire,
        can_undo=plays and state.may_be_undone,
        can_submit=plays and state.is_solitaire and state.is_played_out and not state.submitted,
        can_ask_hint=your_turn and state.is_against_computer and not state.rated,
        is_over=is_over,
        again=_again(state, role) if state.is_solitaire else None,
        analysis_path=analysis_path(state, "turn") if is_over else "",
        can_share_board=plays and is_over and not state.is_solitaire and not state.is_against_computer,
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


def _spent(state: GameState, ply: int) -> str:
    """Return how long a move took; in a game without a clock since the move before it."""
    played = state.moves[ply - 1]
    if played.spent is not None:
        return clock_text(played.spent)
    if ply == 1 or played.automatic:
        return ""
    since = played.at - state.moves[ply - 2].at
    return clock_text(since) if since >= _SHOWN_FROM else ""


def announcements(state: GameState, seen_ply: int) -> list[Text]:
    """Return what screen readers say of the plies after `seen_ply`, and of the end."""
    lines = [
        _told(state, row.text, row.side, row.kind, automatic=row.automatic)
        for row in move_rows(state, seen_ply)
    ]
    if state.result is not None:
        lines.append(headline(state))
    elif state.is_solitaire and lines:
        lines.append(BOARDS[state.rules].note(state.position))
    return lines


def _told(state: GameState, move: str, side: str, kind: MoveKind, *, automatic: bool) -> Text:
    """Return a move in words, with the player's name if the sides have no names: "wren: e5"."""
    described = BOARDS[state.rules].describe(move, side, kind, automatic=automatic)
    if state.is_solitaire or side in _COLOURS:
        return described
    return _("%(player)s: %(move)s", player=state.player_at(Side(side)).username, move=described)


def _count(state: GameState, role: str) -> Count:
    rows = BOARDS[state.rules].count_rows(state.position) if state.is_played_out else ()
    return Count(headline(state, role), rows)
