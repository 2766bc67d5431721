"""Games as pages show them: one view for each role, made once a version and shared by all in that role."""

from collections.abc import Iterable
from functools import lru_cache
from uuid import NAMESPACE_URL, uuid5

from app.games.boards import BOARDS
from app.games.state import GameState
from app.games.views import Count, GameView, MoveRow, ReplayView, SeatView
from app.web.render import fragment
from engine.game import Outcome, Side, Termination

SPECTATOR = "spectator"


def role_of(state: GameState, account_id: int | None) -> str:
    """Give the side that an account plays, or `spectator`."""
    return state.side_of(account_id) or SPECTATOR


def game_view(state: GameState, role: str) -> GameView:
    """Give a game as one role sees it."""
    rules, board, to_move = state.rules, BOARDS[state.game], state.side_to_move
    your_turn = to_move is not None and to_move == role
    return GameView(
        id=state.id,
        game=state.game,
        title=rules.title,
        size=state.options["size"],
        status=state.status,
        role=role,
        version=state.version,
        ply=state.ply,
        position=state.position_text,
        move_id=str(uuid5(NAMESPACE_URL, f"gorrion:{state.id}:{state.version}:{role}")),
        seats=tuple(_seat(state, side, role) for side in rules.sides),
        bottom=role if role != SPECTATOR else rules.sides[0],
        your_turn=your_turn,
        turn_text=_turn_text(to_move, your_turn=your_turn),
        moves=tuple(_rows(state)),
        actions=board.actions(state.position) if your_turn else (),
        can_resign=role != SPECTATOR and to_move is not None,
        count=_count(state) if state.result else None,
        board=board.draw(
            state.position,
            last_move=state.moves[-1].move if state.moves else None,
            playable=your_turn,
            finished=_is_counted(state.result),
            live=True,
        ),
    )


def replay_view(state: GameState, ply: int) -> ReplayView:
    """Give a past ply of a game; `ply` is between 0 and the game's own."""
    rules, board = state.rules, BOARDS[state.game]
    position = state.position_after(ply)
    last = state.moves[ply - 1] if ply else None
    told = "the start"
    if last is not None:
        side = rules.side_to_move(state.position_after(ply - 1))
        told = board.describe(last.move, side or "", automatic=last.automatic)
    return ReplayView(
        game_id=state.id,
        ply=ply,
        last_ply=state.ply,
        text=f"Ply {ply} of {state.ply}: {told}",
        scores=tuple((side, f"{points:g}") for side, points in rules.score(position).items()),
        board=board.draw(
            position, last_move=last.move if last else None, playable=False, finished=False, live=False
        ),
    )


@lru_cache(maxsize=2048)
def _rendered(_game_id: str, _version: int, role: str, seen_ply: int, state: "_Unkeyed") -> str:
    view = game_view(state.value, role)
    return fragment(
        "partials/game_update.html", game=view, announcements=_announcements(state.value, seen_ply)
    )


def update(state: GameState, role: str, seen_ply: int) -> str:
    """Give the fragments that bring a page up to date.

    The plies after `seen_ply` are announced to screen readers. Rendered once for everybody in the role.
    """
    return _rendered(state.id, state.version, role, seen_ply, _Unkeyed(state))


class _Unkeyed:
    """Carries a state past the cache's key, which names it by id and version already."""

    __slots__ = ("value",)

    def __init__(self, value: GameState) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Unkeyed)

    def __hash__(self) -> int:
        return 0


def _is_counted(result: Outcome | None) -> bool:
    return result is not None and result.termination == Termination.PASSES


def _seat(state: GameState, side: Side, role: str) -> SeatView:
    player = state.player_at(side)
    return SeatView(
        side=side,
        username=player.username,
        is_guest=player.is_guest,
        is_viewer=side == role,
        to_move=side == state.side_to_move,
        score=f"{state.score[side]:g}",
        score_note=BOARDS[state.game].score_notes[side],
        won=state.result is not None and state.result.winner == side,
    )


def _turn_text(to_move: Side | None, *, your_turn: bool) -> str:
    if to_move is None:
        return "The game is over"
    return f"Your turn ({to_move.capitalize()})" if your_turn else f"Waiting for {to_move.capitalize()}"


def _rows(state: GameState) -> Iterable[MoveRow]:
    sides = state.rules.sides
    for ply, played in enumerate(state.moves, 1):
        yield MoveRow(ply, sides[(ply - 1) % len(sides)], played.move, played.automatic)


def _announcements(state: GameState, seen_ply: int) -> list[str]:
    board = BOARDS[state.game]
    told = [
        board.describe(row.text, row.side, automatic=row.automatic)
        for row in _rows(state)
        if row.ply > seen_ply
    ]
    if state.result is not None:
        told.append(_headline(state))
    return told


def _count(state: GameState) -> Count:
    rows = BOARDS[state.game].count_rows(state.position) if _is_counted(state.result) else ()
    return Count(_headline(state), rows)


def _headline(state: GameState) -> str:
    assert state.result is not None
    winner = state.result.winner
    if winner is None:
        return "A draw"
    if state.result.termination == Termination.RESIGN:
        return f"{winner.capitalize()} wins by resignation"
    margin = state.score[winner] - max(points for side, points in state.score.items() if side != winner)
    return f"{winner.capitalize()} wins by {margin:g} points"
