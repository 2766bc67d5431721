"""The review of a game as a page."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse, Response

from app.bots.fair_play import check_no_help
from app.games.deps import GamesDep
from app.identity.viewer import BrowserAccounts, SignedIn, Viewer
from app.reviews.deps import ReviewsDep
from app.reviews.presenter import review_page
from app.web.deps import ThrottleDep
from app.web.redirects import go
from app.web.render import fragment, page, wants_partial
from app.web.throttle import Limit

router = APIRouter(include_in_schema=False)


@router.get("/games/{game_id:id}/review")
async def show(
    request: Request,
    game_id: str,
    viewer: Viewer,
    accounts: BrowserAccounts,
    games: GamesDep,
    reviews: ReviewsDep,
    ply: Annotated[int, Query(ge=0, le=100_000)] = 100_000,
) -> Response:
    """Show the review of a game, or how far it has come."""
    state = await games.seen_by(viewer, game_id)
    reviewed = await reviews.get(state)
    if reviewed.is_requested:
        await check_no_help(games, accounts, state.rules, reviewed.positions)
    shown = review_page(state, reviewed, ply)
    if wants_partial(request):
        return HTMLResponse(fragment("partials/review.html", review=shown, request_path=request.url.path))
    return page(request, "pages/review.html", review=shown)


@router.post("/games/{game_id:id}/review")
async def ask(
    request: Request,
    game_id: str,
    viewer: SignedIn,
    accounts: BrowserAccounts,
    games: GamesDep,
    reviews: ReviewsDep,
    throttle: ThrottleDep,
) -> Response:
    """Request the review of a game."""
    await throttle.hit(Limit.REVIEW, f"account:{viewer.id}")
    state = await games.seen_by(viewer, game_id)
    await check_no_help(games, accounts, state.rules, [state.position])
    await reviews.request(state)
    return go(request, f"/games/{game_id}/review")
