"""The editor of conditional moves. It works by links and forms alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Query
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from app.core.errors import ConflictError, InvalidError
from app.core.i18n.text import NO_TEXT, Text, _
from app.core.web.deps import Part, ReceivedAt
from app.core.web.forms import SubmissionDep
from app.core.web.redirects import go
from app.core.web.render import page
from app.core.web.steps import Step
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import ClientDep, SignedIn
from app.play.conditions.api import ConditionsForm
from app.play.conditions.service import Conditions, ConditionsShown, dropped_text
from app.play.games.boards import BOARDS
from app.play.games.game import GameState
from app.play.games.presenter.page import game_view, move_id_of, role_of
from app.play.games.refusals import invalid_move
from app.play.games.service import Games
from app.play.games.views import BoardAction, steps_of
from engine.game import IllegalMove, MoveSyntaxError

router = page_router()

Moves = Annotated[str, Query(max_length=1_000)]


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
    moves: Sequence[str]  # those that are being entered
    ply: int  # of the game
    move_id: str  # of the viewer's move, which comes first if it is their turn; "" if it is not
    before: str  # the same, separated by commas, up to the ply that is shown
    plies: Sequence[tuple[str, str, bool]]  # each move, the address of its position, whether it is shown
    steps: Sequence[tuple[Step, str | None]]
    can_add: bool

    @property
    def line(self) -> Sequence[str]:
        """Return the line that is being entered, which begins with a move of the opponent."""
        return self.moves[1:] if self.move_id else self.moves

    @property
    def add_label(self) -> Text:
        """Return what the button below the board does with the moves that were entered."""
        if not self.move_id:
            return _("Add this line")
        move = self.moves[0] if self.moves else NO_TEXT
        return _("Play %(move)s and add this line", move=move) if self.line else _("Play %(move)s", move=move)

    @property
    def text(self) -> str:
        """Return all lines as text, one below the other."""
        return "\n".join(self.lines)


def editor_view(
    state: GameState, account_id: int, own: ConditionsShown, moves: Sequence[str], at: int | None
) -> EditorView:
    """Return the editor after some moves from the game's position; `at` shows an earlier one of them.

    Raise InvalidError `move_syntax` or `illegal_move`.
    """
    rules = state.rules
    positions = _positions(state, moves)
    shown = len(moves) if at is None else min(at, len(moves))
    reached = [*(played.move for played in state.moves), *moves[:shown]]
    position = positions[shown]
    to_move, side = rules.side_to_move(position), state.side_of(account_id)
    is_open, is_my_turn = state.result is None, state.side_to_move == side
    is_playable = is_open and to_move is not None

    def path_at(ply: int) -> str:
        return f"{_path_of(state, moves)}&at={ply}"

    return EditorView(
        path=_path(state),
        game_path=f"/games/{state.id}",
        headline=game_view(state, role_of(state, account_id)).headline,
        is_open=is_open,
        version=own.version,
        lines=[" ".join(line) for line in own.lines],
        dropped=dropped_text(own.dropped),
        board=BOARDS[rules].draw(
            position,
            last_move=reached[-1] if reached else None,
            playable=is_playable,
            finished=to_move is None,
            live=True,
        ),
        actions=BOARDS[rules].actions(position) if is_playable else (),
        prompt=_prompt(
            is_open=is_open,
            is_over=to_move is None,
            is_yours=to_move == side,
            is_first=is_my_turn and shown == 0,
        ),
        moves=moves,
        ply=state.ply,
        move_id=move_id_of(state, role_of(state, account_id)) if is_my_turn else "",
        before=",".join(moves[:shown]),
        plies=[(move, path_at(ply), ply == shown) for ply, move in enumerate(moves, 1)],
        steps=[
            (step, None if step.target is None else path_at(step.target))
            for step in steps_of(shown, len(moves))
        ],
        can_add=bool(moves) and rules.side_to_move(positions[-2]) == side,
    )


def _positions(state: GameState, moves: Sequence[str]) -> list[Any]:
    """Return the position of a game, and those after each of some moves.

    Raise InvalidError `move_syntax` or `illegal_move`.
    """
    positions = [state.position]
    try:
        for move in moves:
            positions.append(state.rules.play(positions[-1], move))
    except (MoveSyntaxError, IllegalMove) as error:
        raise invalid_move(error) from None
    return positions


def _path(state: GameState) -> str:
    return f"/games/{state.id}/conditions"


def _path_of(state: GameState, moves: Sequence[str]) -> str:
    """Return the address of a line, which says at which ply the line begins."""
    return f"{_path(state)}?moves={','.join(moves)}&from={state.ply}"


def _prompt(*, is_open: bool, is_over: bool, is_yours: bool, is_first: bool) -> Text:
    if not is_open:
        return _("The game is over")
    if is_over:
        return _("The game would be over here.")
    if is_first:
        return _("Your move")
    return _("Your answer") if is_yours else _("If your opponent plays…")


@router.get("/games/{game_id:id}/conditions")
async def editor(
    game_id: str,
    viewer: SignedIn,
    games: Part[Games],
    conditions: Part[Conditions],
    received_at: ReceivedAt,
    moves: Moves = "",
    move: Annotated[str, Query(max_length=16)] = "",
    at: Annotated[int | None, Query(ge=0, le=1_000)] = None,
    begun: Annotated[int | None, Query(alias="from", ge=0, le=10_000)] = None,
) -> Response:
    """Show a player's conditional moves, and the board after a line; go to the line with `move` added.

    A line that begins at another ply would mean something else, so it is shown as text only.
    """
    state = await games.get(game_id)
    own = await conditions.own(game_id, viewer.id, at=received_at)
    line = list(filter(None, (*moves.split(","), move)))
    if line and begun not in (None, state.ply):
        view = editor_view(state, viewer.id, own, (), None)
        return page("pages/conditions.html", editor=view, text=view.text, error=_outdated(line))
    if move:
        _positions(state, line)  # all of it can be played
        return RedirectResponse(_path_of(state, line), 303)
    view = editor_view(state, viewer.id, own, line, at)
    return page("pages/conditions.html", editor=view, text=view.text, error=None)


@router.post("/games/{game_id:id}/conditions")
async def save(
    game_id: str,
    viewer: Stepping,
    games: Part[Games],
    conditions: Part[Conditions],
    client: ClientDep,
    submission: SubmissionDep,
    received_at: ReceivedAt,
) -> Response:
    """Save a player's conditional moves, with a move of theirs that comes first if it is their turn.

    If they cannot be saved, show the editor with what was entered.
    """
    form = submission.parse(ConditionsForm)
    try:
        if form.move is None or form.move_id is None:
            await conditions.save(game_id, viewer.id, form.version, form.chosen, at=received_at)
        else:
            await games.play_move(
                game_id,
                viewer.id,
                form.move,
                form.ply,
                form.move_id,
                at=received_at,
                device=client.device,
                lines=form.chosen,
            )
    except (ConflictError, InvalidError) as error:
        own = await conditions.own(game_id, viewer.id, at=received_at)
        return page(
            "pages/conditions.html",
            status=error.status,
            editor=_after_own_move(await games.get(game_id), viewer.id, own, form.move),
            text="\n".join(map(" ".join, form.chosen)),
            error=error.message,
        )
    return go(f"/games/{game_id}/conditions" if form.chosen else f"/games/{game_id}")


def _outdated(line: Sequence[str]) -> Text:
    moves = " ".join(line)
    return _(
        "The game has gone on since you began the line %(moves)s. Enter it again if it still fits.",
        moves=moves,
    )


def _after_own_move(state: GameState, account_id: int, own: ConditionsShown, move: str | None) -> EditorView:
    """Return the editor after a player's own move, if that can still be played."""
    is_my_turn = state.result is None and state.side_to_move == state.side_of(account_id)
    moves = [move] if move in state.legal_moves and is_my_turn else []
    return editor_view(state, account_id, own, moves, None)
