"""Following, muting and blocking by buttons, and the page that lists these players."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from app.identity.service import Identity
from app.identity.viewer import PageOwner, SignedIn
from app.social.deps import SocialDep
from app.social.relations import Relation
from app.social.views import LISTS
from app.web.addresses import page_of
from app.web.deps import ThrottleDep
from app.web.redirects import go
from app.web.render import page
from app.web.throttle import Limit

router = APIRouter(include_in_schema=False)


@router.get("/people")
async def people(request: Request, viewer: PageOwner, social: SocialDep) -> Response:
    """List the players whom the viewer follows, mutes and blocks."""
    lists = [(each, await social.related(viewer, each.relation)) for each in LISTS]
    return page(request, "pages/people.html", lists=lists)


async def _throttled(viewer: SignedIn, throttle: ThrottleDep) -> Identity:
    """Return the viewer. Raise ThrottledError for one who changes relations too often."""
    await throttle.hit(Limit.STEP, f"account:{viewer.id}")
    return viewer


Chooser = Annotated[Identity, Depends(_throttled)]
"""A viewer who follows, mutes or blocks somebody, or undoes it."""


@router.post("/players/{username}/{relation:relation}")
async def relate(
    request: Request, username: str, relation: Relation, viewer: Chooser, social: SocialDep
) -> Response:
    """Follow, mute or block a player, and go back to the page with the button."""
    await social.relate(viewer, username, relation)
    return go(request, page_of(request))


@router.post("/players/{username}/{relation:relation}/undo")
async def undo(
    request: Request, username: str, relation: Relation, viewer: Chooser, social: SocialDep
) -> Response:
    """Undo following, muting or blocking a player, and go back to the page with the button."""
    await social.undo(viewer, username, relation)
    return go(request, page_of(request))
