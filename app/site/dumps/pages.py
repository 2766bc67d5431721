"""The page of the dumps."""

from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.site.dumps.api import listed
from app.site.dumps.service import Dumps

router = page_router()


@router.get("/dumps")
async def dumps_page(dumps: Part[Dumps]) -> Response:
    """Show the dumps of the last nights, and what is in them."""
    return page("pages/dumps.html", dumps=await listed(dumps))
