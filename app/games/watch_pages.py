"""Games in progress as small live boards: a page of them, and one for the home page."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.games.deps import GamesDep
from app.games.presenter import MOST_MINIS, mini_view
from app.games.sample import sample_film, sample_picture
from app.games.service import Games
from app.games.views import MiniView
from app.web.render import page

router = APIRouter(include_in_schema=False)

_SAMPLE_CACHING = {"Cache-Control": "public, max-age=86400"}


@router.get("/watch")
async def watch_page(request: Request, games: GamesDep) -> Response:
    """Show the games in progress, the strongest players' first."""
    return page(request, "pages/watch.html", minis=await in_progress(games, MOST_MINIS))


async def in_progress(games: Games, limit: int) -> list[MiniView]:
    """Return running games as small boards, those of the strongest players first."""
    return [mini_view(state) for state in await games.to_watch(limit)]


@router.get("/sample-game.svg")
async def sample_game() -> Response:
    """Return a game of two computers, move by move."""
    return Response(sample_film(), media_type="image/svg+xml", headers=_SAMPLE_CACHING)


@router.get("/sample-game-still.svg")
async def sample_position() -> Response:
    """Return the last position of the same game."""
    return Response(sample_picture(), media_type="image/svg+xml", headers=_SAMPLE_CACHING)
