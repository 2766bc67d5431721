"""Passing lessons."""

from app.learn.lessons.course import check
from engine import squares
from engine.golden_nugget.board import FORCES


def solution(course, step):
    """Return a move that reaches the goal of a step."""
    position = course.board.parse(step.position)
    others = FORCES if course.game == "golden_nugget" else squares.names(8)
    moves = [*course.board.moves(position), *others]
    return next(move for move in moves if check(course, step, move).correct)
