"""Following, muting and blocking by buttons, and the page that lists these players."""

from fastapi import Request
from starlette.responses import Response

from app.core.web.addresses import page_of
from app.core.web.deps import Part
from app.core.web.redirects import go
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import PageOwner
from app.people.social.relations import LISTS, Relation
from app.people.social.service import Social

router = page_router()


@router.get("/people")
async def people(viewer: PageOwner, social: Part[Social]) -> Response:
    """List the players whom the viewer follows, mutes and blocks."""
    lists = [(each, await social.related(viewer, each.relation)) for each in LISTS]
    return page("pages/people.html", lists=lists)


@router.post("/players/{username}/{relation:relation}")
async def relate(
    request: Request, username: str, relation: Relation, viewer: Stepping, social: Part[Social]
) -> Response:
    """Follow, mute or block a player, and go back to the page with the button."""
    await social.relate(viewer, username, relation)
    return go(page_of(request))


@router.post("/players/{username}/{relation:relation}/undo")
async def undo(
    request: Request, username: str, relation: Relation, viewer: Stepping, social: Part[Social]
) -> Response:
    """Undo following, muting or blocking a player, and go back to the page with the button."""
    await social.undo(viewer, username, relation)
    return go(page_of(request))
