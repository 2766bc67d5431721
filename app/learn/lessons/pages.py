"""The courses as pages. They work without scripts: each try is a form."""

from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.errors import ThrottledError
from app.core.web.deps import Part
from app.core.web.render import fragment, page, wants_htmx
from app.learn.lessons.course import check
from app.learn.lessons.courses import COURSES
from app.learn.lessons.presenter import lesson_view
from app.learn.lessons.schemas import TriedMove
from app.learn.lessons.service import Lessons
from app.people.identity.pages import page_router
from app.people.identity.throttled import TRYING
from app.people.identity.viewer import SignInDep, Viewer

router = page_router()


@router.get("/learn")
async def courses_page(viewer: Viewer, lessons: Part[Lessons]) -> Response:
    """List the courses, with the viewer's progress."""
    progress = await lessons.progress(viewer)
    return page("pages/learn.html", courses=[(course, progress[game]) for game, course in COURSES.items()])


@router.get("/learn/{game:course}")
async def course_page(game: str, viewer: Viewer, lessons: Part[Lessons]) -> Response:
    """Go to the viewer's next step of a course."""
    course = COURSES[game]
    passed = (await lessons.progress(viewer))[game]
    return RedirectResponse(course.path_of(course.next_step(passed)), 303)


@router.get("/learn/{game:course}/{step:slug}")
async def step_page(game: str, step: str, viewer: Viewer, lessons: Part[Lessons]) -> Response:
    """Show a step."""
    course = COURSES[game]
    passed = (await lessons.progress(viewer))[game]
    return page("pages/lesson.html", lesson=lesson_view(course, course.step(step), passed))


@router.post("/learn/{game:course}/{step:slug}", dependencies=[TRYING])
async def try_move(
    game: str,
    step: str,
    move: TriedMove,
    viewer: Viewer,
    sign_in: SignInDep,
    lessons: Part[Lessons],
) -> Response:
    """Answer a move. An anonymous visitor who reaches a goal becomes a guest, to keep the progress."""
    course = COURSES[game]
    answer = check(course, course.step(step), move)
    if answer.correct:
        try:
            viewer = await sign_in.viewer_or_guest(viewer)
        except ThrottledError:
            pass  # the lesson goes on without a record of it
        else:
            await lessons.passed(viewer, game, step)
    passed = (await lessons.progress(viewer))[game]
    shown = lesson_view(course, course.step(step), passed, answer)
    if wants_htmx():
        return sign_in.finish(HTMLResponse(fragment("partials/lesson.html", lesson=shown)))
    return sign_in.finish(page("pages/lesson.html", lesson=shown))
