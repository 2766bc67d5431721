"""The courses for programs."""

from app.core.web.deps import Part
from app.core.web.routes import Router
from app.learn.lessons.course import check
from app.learn.lessons.courses import COURSES
from app.learn.lessons.schemas import Courses, CourseShown, CourseSummary, Reply, StepShown, Try
from app.learn.lessons.service import Lessons
from app.people.identity.throttled import TRYING_FOR_PROGRAM
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, Program

router = Router(prefix="/api/v1/lessons", tags=["lessons"])


@router.get("", openapi_extra=TOKEN_IS_OPTIONAL)
async def list_courses(program: Program, lessons: Part[Lessons]) -> Courses:
    """Return the courses, with the account's progress."""
    progress = await lessons.progress(program)
    return Courses(
        courses=[
            CourseSummary(
                game=game,
                title=course.title,
                steps=len(course.steps),
                passed=course.count(progress[game]),
            )
            for game, course in COURSES.items()
        ]
    )


@router.get("/{game:course}", openapi_extra=TOKEN_IS_OPTIONAL)
async def get_course(game: str, program: Program, lessons: Part[Lessons]) -> CourseShown:
    """Return the steps of a course."""
    passed = (await lessons.progress(program))[game]
    steps = [
        StepShown(
            step=step.key, title=step.title, text=step.text, position=step.position, passed=step.key in passed
        )
        for step in COURSES[game].steps
    ]
    return CourseShown(game=game, title=COURSES[game].title, steps=steps)


@router.post(
    "/{game:course}/{step:slug}",
    openapi_extra=TOKEN_IS_OPTIONAL,
    dependencies=[TRYING_FOR_PROGRAM],
)
async def try_move(game: str, step: str, body: Try, program: Program, lessons: Part[Lessons]) -> Reply:
    """Try a move at a step. With a token that has the scope `play`, a goal that is reached is progress."""
    course = COURSES[game]
    tried = course.step(step)
    answer = check(course, tried, body.move)
    if answer.correct and program is not None and program.may_play:
        await lessons.passed(program, game, step)
    following = course.following(tried) if answer.correct else None
    return Reply(correct=answer.correct, text=answer.text, next=following.key if following else None)
