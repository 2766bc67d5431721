"""What pages answer to commands on a board in play."""

from collections.abc import Awaitable, Callable

from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.errors import AppError, ConflictError, InvalidError
from app.core.i18n.text import reason_of
from app.core.web.errors import answer
from app.core.web.render import fragment, wants_htmx
from app.nugget.commands import RefusedCommand


def problem_of(refusal: RefusedCommand | None) -> AppError | None:
    """Return the error for the first command that was refused, None if there is none."""
    return None if refusal is None else InvalidError(refusal.error.reason, reason_of(refusal.error))


async def answered(problem: AppError | None, path: str, draw: Callable[[], Awaitable[str]]) -> Response:
    """Return what is drawn of the board after commands, with a notice of a problem.

    Without htmx, return the problem as a page, or go to the page of the board at a path.
    """
    if not wants_htmx():
        return answer(problem) if problem is not None else RedirectResponse(path, 303)
    html = await draw()
    if problem is not None:
        html += fragment("partials/notice.html", message=problem.message)
    return HTMLResponse(html, 409 if isinstance(problem, ConflictError) else 200)
