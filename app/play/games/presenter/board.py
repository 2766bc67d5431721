"""The board of a game, its players' bars, and its moves: in a list, in words, and replayed."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup

from app.core.i18n.formats import signed
from app.core.i18n.languages import current
from app.core.i18n.text import Text, _, listed, ngettext
from app.core.moments import now, to_datetime
from app.core.web.filters import clock_text, side_name
from app.core.web.render import fragment
from app.play.games.boards import BOARDS
from app.play.games.game import GameState, Player
from app.play.games.presenter.page import COLOURS, analysis_path
from app.play.games.views import MoveKind, MoveRow, ReplayView, SeatClock, SeatView
from app.play.games.wording import byoyomi_text, headline, rating_text
from engine.clock import Byoyomi, Clock, Correspondence, DaysBank, PerMove, Realtime
from engine.game import Game, Side
from engine.glicko2 import Rating


def board_of(state: GameState, *, playable: bool = False, live: bool = False) -> Markup:
    """Return the board of a game as it is now. See `Board.draw`."""
    return BOARDS[state.rules].draw(
        state.position,
        last_move=state.moves[-1].move if state.moves else None,
        playable=playable,
        finished=state.is_played_out,
        live=live,
    )


_LOW_DAY = 6 * 60 * 60 * 1000  # milliseconds; a correspondence clock warns from here on


def seat_views(state: GameState, yours: Collection[str]) -> tuple[SeatView, ...]:
    """Return the players' bars in order of play, with their clocks as they are now.

    `yours` are the sides that are marked as the reader's.
    """
    moment = now()
    return tuple(_seat(state, side, moment, is_yours=side in yours) for side in state.rules.sides)


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


def _seat(state: GameState, side: Side, moment: int, *, is_yours: bool) -> SeatView:
    player = state.player_at(side)
    to_move = side == state.side_to_move
    won = state.result is not None and state.result.winner == side
    vacation_until = player.vacation_until(moment)
    return SeatView(
        side=side,
        username=player.username,
        to_move=to_move,
        score=state.score[side],
        score_note=BOARDS[state.rules].score_note(state.position, side) or _unit(state.score[side]),
        won=won,
        state=_seat_state(side, to_move=to_move, won=won),
        who=_who(player, is_yours, current()),
        clock=_seat_clock(state, state.rules.sides.index(side), moment),
        vacation_until=None if vacation_until is None or state.result else to_datetime(vacation_until),
    )


@lru_cache(4096)
def _who(player: Player, is_you: bool, _language: str) -> Markup:
    html = fragment(
        "partials/seat_who.html",
        username=player.username,
        mark=mark_of(player),
        rating=rating_of(player),
        change="" if player.change is None else signed(player.change),
        is_you=is_you,
    )
    return Markup(html)  # noqa: S704 - our own template


@lru_cache(256)
def _unit(points: float) -> Text:
    return ngettext("point", "points", points)


@cache
def _seat_state(side: Side, *, to_move: bool, won: bool) -> Text:
    """Return what is said of a player beside the name: "Black, to move"."""
    if side == Side.SOLO:
        return _("solo")
    words = [side_name(side)] if side in COLOURS else []
    return listed(*words, *[_("won")] * won, *[_("to move")] * to_move)


def rating_of(player: Player) -> str:
    """Return a player's rating, "1512" or "1500?", or nothing for guests and the server's computers."""
    if player.rating is None or player.is_guest or player.level:
        return ""
    return rating_text(Rating(player.rating, player.deviation or 0.0))


def mark_of(player: Player) -> Text | None:
    """Return what tells a computer from people, or None: "computer, level 4"."""
    if player.level is not None:
        return _("computer, level %(level)s", level=player.level)
    return _("computer") if player.is_computer else None


_END = _("The end")
_SHOWN_FROM = 1000  # milliseconds; a move in a game without a clock that took less shows no time


def move_rows(state: GameState, after: int = 0) -> list[MoveRow]:
    """Return the lines of the move list that follow a ply."""
    moves = state.moves[after:]
    kinds = BOARDS[state.rules].kinds(state.position, [played.move for played in moves])
    return [
        MoveRow(ply, state.mover_of(ply), played.move, kind, played.automatic, _spent(state, ply))
        for ply, (played, kind) in enumerate(zip(moves, kinds, strict=True), after + 1)
    ]


def replay_view(state: GameState, ply: int) -> ReplayView:
    """Return a past ply of a game; `ply` is between 0 and the game's current ply."""
    position = state.position_after(ply)
    words = _("the start")
    if ply:
        last = state.moves[ply - 1]
        (kind,) = BOARDS[state.rules].kinds(position, [last.move])
        words = _in_words(state, last.move, state.mover_of(ply), kind, automatic=last.automatic)
        if last.spent is not None:
            words = _("%(move)s, after %(time)s", move=words, time=clock_text(last.spent))
    moves = [played.move for played in state.moves]
    end_label = _("Back to the live board") if state.result is None else _END
    replay = replay_of(state.rules, position, moves, ply, words, f"/games/{state.id}", end_label)
    return replay if state.result is None else replace(replay, analysis_path=analysis_path(state, ply))


def replay_of(
    rules: Game[Any],
    position: Any,
    moves: Sequence[str],
    ply: int,
    words: Text,
    path: str,
    end_label: Text = _END,
    over: str = "",
) -> ReplayView:
    """Return a ply of a game with these moves: the position after it, and its move in words.

    `over` is what is drawn over the squares.
    """
    score = rules.score(position)
    last_move = moves[ply - 1] if ply else None
    return ReplayView(
        path=path,
        ply=ply,
        last_ply=len(moves),
        text=_("Move %(ply)s of %(last)s: %(move)s", ply=ply, last=len(moves), move=words),
        scores=tuple((side, score[side]) for side in rules.sides),
        board=BOARDS[rules].draw(position, last_move=last_move, over=over),
        end_label=end_label,
    )


def _spent(state: GameState, ply: int) -> str:
    """Return how long a move took; in a game without a clock since the move before it."""
    played = state.moves[ply - 1]
    if played.spent is not None:
        return clock_text(played.spent)
    if ply <= state.first_ply + 1 or played.automatic:
        return ""
    since = played.at - state.moves[ply - 2].at
    return clock_text(since) if since >= _SHOWN_FROM else ""


def announcements(state: GameState, rows: Sequence[MoveRow]) -> list[Text]:
    """Return what screen readers say of the last moves, and of the end."""
    lines = [_in_words(state, row.text, row.side, row.kind, automatic=row.automatic) for row in rows]
    if state.result is not None:
        lines.append(headline(state))
    elif state.is_solitaire and lines:
        lines.append(BOARDS[state.rules].note(state.position))
    return lines


def _in_words(state: GameState, move: str, side: str, kind: MoveKind, *, automatic: bool) -> Text:
    """Return a move in words, with the player's name if the sides have no names: "wren: e5"."""
    described = BOARDS[state.rules].describe(move, side, kind, automatic=automatic)
    if state.is_solitaire or side in COLOURS:
        return described
    return _("%(player)s: %(move)s", player=state.player_at(Side(side)).username, move=described)
