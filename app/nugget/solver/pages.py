"""The page of searches."""

from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.render import page
from app.nugget.solver.presenter import searches_context
from app.nugget.solver.service import Searches
from app.people.identity.pages import page_router

router = page_router()


@router.get("/nugget/solver")
async def solver(searches: Part[Searches]) -> Response:
    """Show the searches for short records: those that run now, and earlier ones."""
    return page("pages/nugget_solver.html", **searches_context(await searches.all()))
