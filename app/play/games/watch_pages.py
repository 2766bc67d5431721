"""Games in progress as small live boards, and the sample game of the home page."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.play.games.forms import WatchFilter
from app.play.games.presenter.minis import games_to_watch
from app.play.games.sample import sample_film, sample_picture
from app.play.games.service import Games
from app.play.games.views import WATCH_FILTERS

router = page_router()

_SAMPLE_CACHING = {"Cache-Control": "public, max-age=86400"}


@router.get("/watch")
async def watch_page(games: Part[Games], wanted: Annotated[WatchFilter, Query()]) -> Response:
    """Show a page of the games in progress, the strongest players' first."""
    minis, has_more = await games_to_watch(games, wanted)
    return page(
        "pages/watch.html",
        minis=minis,
        has_more=has_more,
        wanted=wanted.model_dump(exclude={"number"}, exclude_defaults=True),
        number=wanted.number,
        filters=[(name, label, choices, getattr(wanted, name)) for name, label, choices in WATCH_FILTERS],
        live_query=f"?{wanted.query}" if wanted.query else "",
    )


@router.get("/sample-game.svg")
async def sample_game() -> Response:
    """Return a game of two computers, move by move."""
    return Response(sample_film(), media_type="image/svg+xml", headers=_SAMPLE_CACHING)


@router.get("/sample-game-still.svg")
async def sample_position() -> Response:
    """Return the last position of the same game."""
    return Response(sample_picture(), media_type="image/svg+xml", headers=_SAMPLE_CACHING)
