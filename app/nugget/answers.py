"""What pages answer to commands on a board in play."""

from collections.abc import Awaitable, Callable

from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.errors import AppError, ConflictError
from app.core.web.errors import answer
from app.core.web.render import fragment, wants_htmx


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
