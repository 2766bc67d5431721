"""The rules of each game as a page."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.games.boards import BOARDS
from app.web.render import page
from engine.registry import GAMES

router = APIRouter(include_in_schema=False)


@router.get("/rules/{game:game}")
async def rules(request: Request, game: str) -> Response:
    """Show the rules of a game of the registry."""
    return page(request, f"pages/rules_{game}.html", figures=BOARDS[GAMES[game]].figures())
