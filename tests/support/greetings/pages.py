"""The page of greetings."""

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.core.web.deps import Part
from app.people.identity.pages import page_router
from tests.support.greetings.service import Greetings

router = page_router()


@router.get("/greetings")
async def show(greetings: Part[Greetings]) -> Response:
    """Show the last greetings. A page of the site draws a template instead, by `app.core.web.render.page`."""
    return HTMLResponse(Markup("\n").join(Markup("<p>{}").format(text) for text in await greetings.latest()))
