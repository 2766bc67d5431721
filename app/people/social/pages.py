"""Following, muting and blocking by buttons, and the page that lists these players."""

from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.viewer import PageOwner
from app.people.social import api
from app.people.social.relations import LISTS
from app.people.social.service import Social

router = page_router()


@router.get("/people")
async def people(viewer: PageOwner, social: Part[Social]) -> Response:
    """List the players whom the viewer follows, mutes and blocks."""
    lists = [(each, await social.related(viewer.id, each.relation)) for each in LISTS]
    return page("pages/people.html", lists=lists)


router.form("/players/{username}/{relation:relation}", api.relate)
router.form("/players/{username}/{relation:relation}/undo", api.undo)
