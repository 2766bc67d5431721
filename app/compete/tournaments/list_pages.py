"""The lists of tournaments as pages."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from app.compete.tournaments.follow import LISTED, Followed
from app.compete.tournaments.forms import ListShown
from app.compete.tournaments.presenter import lists_view, past_view, row_views
from app.compete.tournaments.service import Tournaments
from app.core.web.deps import Part
from app.core.web.params import Cursor
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.people.identity.viewer import Viewer

router = page_router()


@router.get("/tournaments")
async def tournaments_page(
    viewer: Viewer,
    tournaments: Part[Tournaments],
    followed: Part[Followed],
    shown: Annotated[ListShown, Query()],
    cursor: Cursor = "",
) -> Response:
    """List the tournaments that are played and that come, or those that are over."""
    lists = await followed.lists()
    if shown.when == "past":
        past = await tournaments.listing("finished", cursor, LISTED) if cursor else lists.past
        return page("pages/tournaments_past.html", past=past_view(past), cursor=cursor)
    coming = await tournaments.listing("created", cursor, LISTED) if cursor else lists.coming
    return page(
        "pages/tournaments.html",
        own=row_views(await tournaments.of_account(viewer.id)) if viewer else [],
        lists=lists_view(lists, coming),
        cursor=cursor,
    )
