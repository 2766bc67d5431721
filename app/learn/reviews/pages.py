"""The reviews of games, and of boards of Golden Nugget, as pages."""

from typing import Annotated

from fastapi import Query, Request
from starlette.responses import HTMLResponse, Response

from app.core.web.deps import Part
from app.core.web.redirects import go
from app.core.web.render import fragment, page, wants_partial
from app.learn.reviews.presenter import ReviewPage, board_review_page, review_page
from app.learn.reviews.service import BoardReviews, Reviews
from app.nugget.entries import Entries
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.throttled import COMPUTING, Reviewing, queued_as
from app.people.identity.viewer import PersonDep, Viewer
from app.play.games.service import Games

router = page_router()

Ply = Annotated[int, Query(ge=0, le=100_000)]
"""The ply to show; by default the last one."""


@router.get("/games/{game_id:id}/review", dependencies=[COMPUTING])
async def show(
    request: Request,
    game_id: str,
    viewer: Viewer,
    person: PersonDep,
    games: Part[Games],
    reviews: Part[Reviews],
    ply: Ply = 100_000,
    again: Annotated[bool, Query()] = False,
    move: Annotated[str, Query(max_length=16)] = "",
) -> Response:
    """Show the review of a game, or how far it has come; `again`: to find a better move than the next one."""
    state = await games.seen_by(viewer, game_id)
    reviewed = await reviews.get(state, person)
    reader = viewer.id if viewer else None
    return _shown(request, viewer, review_page(state, reviewed, ply, reader, move if again else None))


@router.post("/games/{game_id:id}/review")
async def ask(
    request: Request,
    game_id: str,
    viewer: Reviewing,
    person: PersonDep,
    games: Part[Games],
    reviews: Part[Reviews],
) -> Response:
    """Request the review of a game."""
    await reviews.request(await games.seen_by(viewer, game_id), person, queued_as(request, viewer))
    return go(f"/games/{game_id}/review")


@router.get("/nugget/entries/{entry_id:id}/boards/{number:number}/review", dependencies=[COMPUTING])
async def show_board(
    request: Request,
    entry_id: str,
    number: int,
    viewer: Viewer,
    entries: Part[Entries],
    reviews: Part[BoardReviews],
    ply: Ply = 100_000,
) -> Response:
    """Show the review of a board of an entry, or how far it has come."""
    entry = await entries.record(entry_id, viewer.id if viewer else None)
    return _shown(request, viewer, board_review_page(entry, *await reviews.get(entry, number), ply))


@router.post("/nugget/entries/{entry_id:id}/boards/{number:number}/review")
async def ask_for_board(
    request: Request,
    entry_id: str,
    number: int,
    viewer: Reviewing,
    entries: Part[Entries],
    reviews: Part[BoardReviews],
) -> Response:
    """Request the review of a board of an entry."""
    await reviews.request(await entries.record(entry_id, viewer.id), number, queued_as(request, viewer))
    return go(f"/nugget/entries/{entry_id}/boards/{number}/review")


def _shown(request: Request, viewer: Identity | None, review: ReviewPage) -> Response:
    if wants_partial():
        shown = {"review": review, "viewer": viewer, "request_path": request.url.path}
        return HTMLResponse(fragment("partials/review.html", **shown))
    return page("pages/review.html", review=review)
