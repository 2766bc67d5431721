"""Lessons as pages show them."""

from app.learn.lessons.course import Answer, Course, Step
from app.learn.lessons.courses import COURSES
from app.learn.lessons.queries import Progress
from app.learn.lessons.views import CourseView, LessonView, Place
from engine.registry import FOR_TWO, SOLITAIRE


def path_of(course: Course, step: Step) -> str:
    """Return the address of a step."""
    return f"/learn/{course.game}/{step.key}"


def next_step(course: Course, passed: frozenset[str]) -> Step:
    """Return the first step that is not passed, or the first one if all are."""
    return next((step for step in course.steps if step.key not in passed), course.steps[0])


def course_views(progress: Progress) -> list[CourseView]:
    """Return the list of all courses."""
    return [_course_view(course, progress.get(course.game, frozenset())) for course in COURSES.values()]


def _course_view(course: Course, passed: frozenset[str]) -> CourseView:
    path = path_of(course, next_step(course, passed))
    return CourseView(course.title, course.summary, course.count(passed), len(course.steps), path)


def lesson_view(
    course: Course, step: Step, passed: frozenset[str], answer: Answer | None = None
) -> LessonView:
    """Return a step; `answer` is that to the player's last try."""
    board = course.board
    is_done = answer is not None and answer.correct
    position = board.parse(step.position) if answer is None else answer.position
    following = course.following(step)
    return LessonView(
        course=course.title,
        number=course.steps.index(step) + 1,
        rules_path=f"/rules/{course.game}",
        play_path=_play_path(course.game),
        title=step.title,
        text=step.text,
        path=path_of(course, step),
        field=board.field,
        places=[
            Place(each.title, path_of(course, each), each.key in passed, each is step)
            for each in course.steps
        ],
        board=board.draw(position, last_move=answer.move if answer else None, playable=not is_done),
        other_moves=() if is_done else board.other_moves(position),
        reply=answer.text if answer else None,
        obstacle=answer.obstacle if answer else None,
        is_done=is_done,
        next_path=path_of(course, following) if following else None,
    )


def _play_path(game: str) -> str:
    """Return where to play a game of the registry, or Golden Nugget."""
    if game in FOR_TWO:
        return f"/lobby?offer={game}"
    return "/solitaire" if game in SOLITAIRE else "/nugget"
