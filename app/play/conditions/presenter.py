"""The view of the editor of conditional moves, and what builds it."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.i18n.text import Text, _
from app.core.web.steps import Step, steps
from app.play.conditions.service import OwnConditions, dropped_text
from app.play.games.boards import BOARDS
from app.play.games.decisions import invalid_move
from app.play.games.game import GameState
from app.play.games.presenter.page import game_view, role_of
from app.play.games.views import BoardAction
from engine.game import IllegalMove, MoveSyntaxError


@dataclass(frozen=True, slots=True)
class EditorView:
    """A player's conditional moves, and the board after the line that is being entered."""

    path: str  # "/games/k7m2wq9xab/conditions"
    game_path: str
    headline: Text  # "JadeJack 9×9: wren (Black) and robin (White)"
    is_open: bool  # whether lines may be entered now
    version: int
    lines: Sequence[str]  # "e5 d4 f6 g7"
    dropped: Text | None  # a note about lines that did not fit any more
    board: Markup
    actions: Sequence[BoardAction]
    prompt: Text  # whose move is entered next
    moves: Sequence[str]  # those of the line that is being entered
    before: str  # the same, separated by commas, up to the ply that is shown
    plies: Sequence[
        tuple[str, str, bool]
    ]  # each move with the address of its position, and whether it is shown
    steps: Sequence[tuple[Step, str | None]]
    can_add: bool

    @property
    def text(self) -> str:
        """Return all lines as text, one below the other."""
        return "\n".join(self.lines)


_STEPS = (_("First position"), _("One ply back"), _("One ply on"), _("Last position"))


def editor_view(
    state: GameState, account_id: int, own: OwnConditions, moves: Sequence[str], at: int | None
) -> EditorView:
    """Return the editor after some moves from the game's position; `at` shows an earlier one of them.

    Raise InvalidError `move_syntax` or `illegal_move`.
    """
    rules, board = state.rules, BOARDS[state.rules]
    positions = [state.position]
    try:
        for move in moves:
            positions.append(rules.play(positions[-1], move))
    except (MoveSyntaxError, IllegalMove) as error:
        raise invalid_move(error) from None
    shown = len(moves) if at is None else min(at, len(moves))
    position = positions[shown]
    to_move, side = rules.side_to_move(position), state.side_of(account_id)
    is_open = state.result is None and state.side_to_move != side
    path = f"/games/{state.id}/conditions"

    def path_at(ply: int) -> str:
        return f"{path}?moves={','.join(moves)}&at={ply}"

    return EditorView(
        path=path,
        game_path=f"/games/{state.id}",
        headline=game_view(state, role_of(state, account_id)).headline,
        is_open=is_open,
        version=own.version,
        lines=[" ".join(line) for line in own.lines],
        dropped=dropped_text(own.dropped, own.dropped_by),
        board=board.draw(
            position,
            last_move=moves[shown - 1] if shown else (state.moves[-1].move if state.moves else None),
            playable=is_open and to_move is not None,
            finished=to_move is None,
            live=True,
        ),
        actions=board.actions(position) if is_open and to_move is not None else (),
        prompt=_prompt(is_open=is_open, is_over=to_move is None, is_yours=to_move == side),
        moves=moves,
        before=",".join(moves[:shown]),
        plies=[(move, path_at(ply), ply == shown) for ply, move in enumerate(moves, 1)],
        steps=[
            (step, None if step.target is None else path_at(step.target))
            for step in steps(shown, len(moves), _STEPS)
        ],
        can_add=bool(moves) and rules.side_to_move(positions[-2]) == side,
    )


def _prompt(*, is_open: bool, is_over: bool, is_yours: bool) -> Text:
    if not is_open:
        return _("You can enter conditional moves while your opponent is to move.")
    if is_over:
        return _("The game would be over here.")
    return _("Your answer") if is_yours else _("If your opponent plays…")
