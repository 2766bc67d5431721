"""Moves in a list, in words, and replayed."""

from collections.abc import Sequence
from typing import Any

from app.core.i18n.text import Text, _
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.presenter.turn import COLOURS
from app.play.games.results import headline
from app.play.games.views import MoveKind, MoveRow, ReplayView
from app.play.games.wording import clock_text
from engine.game import Game, Side

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
    return replay_of(state.rules, position, moves, ply, words, f"/games/{state.id}", end_label)


def replay_of(
    rules: Game[Any],
    position: Any,
    moves: Sequence[str],
    ply: int,
    words: Text,
    path: str,
    end_label: Text = _END,
) -> ReplayView:
    """Return a ply of a game with these moves: the position after it, and its move in words."""
    score = rules.score(position)
    last_move = moves[ply - 1] if ply else None
    return ReplayView(
        path=path,
        ply=ply,
        last_ply=len(moves),
        text=_("Ply %(ply)s of %(last)s: %(move)s", ply=ply, last=len(moves), move=words),
        scores=tuple((side, score[side]) for side in rules.sides),
        board=BOARDS[rules].draw(position, last_move=last_move, playable=False, finished=False, live=False),
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
