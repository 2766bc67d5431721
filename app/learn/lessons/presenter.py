"""Lessons as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.i18n.text import Text
from app.learn.lessons.course import Course, CourseStep, LessonAnswer
from engine.registry import FOR_TWO, SOLITAIRE


@dataclass(frozen=True, slots=True)
class LessonView:
    """A step, counted from 1, with the answer to what the player has tried, if anything.

    `is_typed` if no button of the board reaches the goal. `passed` has the keys of the steps passed.
    """

    course: Course
    step: CourseStep
    number: int
    path: str
    play_path: str
    board: Markup
    other_moves: Sequence[tuple[str, Text]]
    answer: LessonAnswer | None
    is_typed: bool
    is_done: bool
    passed: frozenset[str]
    next_path: str | None


def lesson_view(
    course: Course, step: CourseStep, passed: frozenset[str], answer: LessonAnswer | None = None
) -> LessonView:
    """Return a step; `answer` is that to the player's last try."""
    board = course.board
    is_done = answer is not None and answer.correct
    position = board.parse(step.position) if answer is None else answer.position
    following = course.following(step)
    goals = step.reached_by(board, board.moves(board.parse(step.position)))
    return LessonView(
        course=course,
        step=step,
        number=course.steps.index(step) + 1,
        path=course.path_of(step),
        play_path=_play_path(course.game),
        board=board.draw(position, last_move=answer.move if answer else None, playable=not is_done),
        other_moves=[] if is_done else [each for each in board.other_moves(position) if each[0] in goals],
        answer=answer,
        is_typed=not goals,
        is_done=is_done,
        passed=passed,
        next_path=course.path_of(following) if following else None,
    )


def _play_path(game: str) -> str:
    """Return where to play a game of the registry, or Golden Nugget."""
    if game in FOR_TWO:
        return f"/lobby?offer={game}"
    return "/solitaire" if game in SOLITAIRE else "/nugget"
