"""Lessons as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.core.i18n.text import Text
from app.learn.lessons.course import Course, CourseStep, LessonAnswer
from app.learn.lessons.courses import COURSES
from app.learn.lessons.service import Progress
from engine.registry import FOR_TWO, SOLITAIRE


@dataclass(frozen=True, slots=True)
class CourseView:
    """A course in the list: its steps, how many of them are passed, and where to go on."""

    course: Course
    places: Sequence["StepLink"]
    passed: int
    path: str


@dataclass(frozen=True, slots=True)
class StepLink:
    """A step in the list of its course."""

    title: Text
    path: str
    is_passed: bool
    is_current: bool


@dataclass(frozen=True, slots=True)
class LessonView:
    """A step, counted from 1, with the answer to what the player has tried, if anything.

    `is_typed` if no button of the board reaches the goal. `passed` is the number of steps that were passed.
    """

    course: Course
    step: CourseStep
    number: int
    path: str
    play_path: str
    places: Sequence[StepLink]
    board: Markup
    other_moves: Sequence[tuple[str, Text]]
    answer: LessonAnswer | None
    is_typed: bool
    is_done: bool
    passed: int
    next_path: str | None


def path_of(course: Course, step: CourseStep) -> str:
    """Return the address of a step."""
    return f"/learn/{course.game}/{step.key}"


def next_step(course: Course, passed: frozenset[str]) -> CourseStep:
    """Return the first step that is not passed, or the first one if all are."""
    return next((step for step in course.steps if step.key not in passed), course.steps[0])


def course_views(progress: Progress) -> list[CourseView]:
    """Return the list of all courses."""
    by_course = [(course, progress.get(game, frozenset())) for game, course in COURSES.items()]
    return [
        CourseView(
            course,
            _places(course, passed, None),
            course.count(passed),
            path_of(course, next_step(course, passed)),
        )
        for course, passed in by_course
    ]


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
        path=path_of(course, step),
        play_path=_play_path(course.game),
        places=_places(course, passed, step),
        board=board.draw(position, last_move=answer.move if answer else None, playable=not is_done),
        other_moves=[] if is_done else [each for each in board.other_moves(position) if each[0] in goals],
        answer=answer,
        is_typed=not goals,
        is_done=is_done,
        passed=course.count(passed),
        next_path=path_of(course, following) if following else None,
    )


def _places(course: Course, passed: frozenset[str], current: CourseStep | None) -> list[StepLink]:
    return [
        StepLink(each.title, path_of(course, each), each.key in passed, each is current)
        for each in course.steps
    ]


def _play_path(game: str) -> str:
    """Return where to play a game of the registry, or Golden Nugget."""
    if game in FOR_TWO:
        return f"/lobby?offer={game}"
    return "/solitaire" if game in SOLITAIRE else "/nugget"
