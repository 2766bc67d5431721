"""The goals of steps: functions of the position, the move, and the position after it (see `course.Goal`)."""

from typing import Any

from app.learn.lessons.course import Goal
from engine import squares
from engine.game import Side
from engine.golden_nugget.blocks import COLOURS, Colour
from engine.golden_nugget.board import Board
from engine.golden_nugget.play import Play
from engine.jadejack import JADEJACK, PASS, Placement, placement_kind, strengths
from engine.jumping_farther import JUMPING_FARTHER

_BORDER = [cell for cell in range(49) if not (0 < cell % 7 < 6 and 0 < cell // 7 < 6)]


def anything(_position: Any, _move: str, after: Any) -> bool:
    """Return whether the move is legal."""
    return after is not None


def one_of(*moves: str) -> Goal:
    """Return the goal to play one of some moves."""
    return lambda _position, move, after: after is not None and move in moves


def refused(*moves: str) -> Goal:
    """Return the goal to try one of some moves, and to see why it is not allowed."""
    return lambda _position, move, after: after is None and move in moves


def _kind(kind: Placement) -> Goal:
    def reached(position: Any, move: str, after: Any) -> bool:
        if after is None or move == PASS:
            return False
        return placement_kind(position.stacks[squares.locate(move, position.size)], position.side) is kind

    return reached


hijack, reinforce = _kind(Placement.HIJACK), _kind(Placement.SELF_STACK)
"""The goals to place a disk on an opponent's stack, and on one's own."""


def cut_off(square: str) -> Goal:
    """Return the goal to leave the opponent no strength on a square."""

    def reached(position: Any, _move: str, after: Any) -> bool:
        if after is None:
            return False
        black, white = strengths(after)
        opposing = white if position.side is Side.BLACK else black
        return opposing[squares.locate(square, after.size)] == 0

    return reached


def gain(points: float) -> Goal:
    """Return the goal to improve one's score against the opponent's by so many points of JadeJack."""

    def lead(position: Any, side: Side) -> float:
        score = JADEJACK.score(position)
        return (score["black"] - score["white"]) * (1 if side is Side.BLACK else -1)

    def reached(position: Any, move: str, after: Any) -> bool:
        if after is None or move == PASS:
            return False
        return lead(after, position.side) - lead(position, position.side) >= points

    return reached


def score_a_jump(position: Any, _move: str, after: Any) -> bool:
    """Return whether a number of Jumping Farther & Farther scores a point."""
    if after is None:
        return False
    return sum(JUMPING_FARTHER.score(after).values()) > sum(JUMPING_FARTHER.score(position).values())


def leave_nothing(_position: Any, _move: str, after: Any) -> bool:
    """Return whether no next number of Jumping Farther & Farther can score."""
    return after is not None and not any(after.current.scores(far) for _, far in after.current.reach())


def end_the_round(_position: Any, _move: str, after: Any) -> bool:
    """Return whether no number can follow in Jumping Farther & Farther."""
    return after is not None and after.is_over


def keep_rising(_position: Any, _move: str, after: Any) -> bool:
    """Return whether the next number of Up And Up can still go a square farther."""
    return after is not None and bool(after.free_at(after.k))


def lift(square: int) -> Goal:
    """Return the goal to lift the block on a square of the line, counted from the force."""

    def reached(position: Play, _move: str, after: Play | None) -> bool:
        return after is not None and len(after.made) > len(position.made) and after.made[-1].lifted == square

    return reached


def _on_border(board: Board) -> int:
    shown = COLOURS[board.face]
    return sum(shown[board.cells[cell]] is not Colour.WHITE for cell in _BORDER)


def bring_home(position: Play, move: str, after: Play | None) -> bool:
    """Return whether a push brings a coloured block from the border into the middle."""
    if after is None or move in ("undo", "turn"):
        return False
    return _on_border(after.board) < _on_border(position.board)


def solve(_position: Play, _move: str, after: Play | None) -> bool:
    """Return whether the board is solved."""
    return after is not None and after.is_solved
