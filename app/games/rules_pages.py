"""The rules of each game as a page."""

from fastapi import Request
from starlette.responses import Response

from app.games.boards import BOARDS
from app.i18n.text import _
from app.identity.pages import page_router
from app.web.render import page
from engine.registry import GAMES

router = page_router()


_GAMES = (
    ("/rules/jadejack", "JadeJack", _("For two: build stacks, and take squares where you are stronger.")),
    (
        "/rules/golden_nugget",
        "Golden Nugget",
        _("For one: sort 49 blocks in as few moves as you can, and enter the world ranking."),
    ),
    (
        "/rules/jumping_farther",
        "Jumping Farther & Farther",
        _("For one or two: write numbers on a grid, each jump as far as the last or farther."),
    ),
    ("/rules/up_and_up", "Up And Up", _("For one: each number goes one square farther than the one before.")),
)


@router.get("/rules")
async def rules_index(request: Request) -> Response:
    """List the games with links to their rules."""
    return page(request, "pages/rules.html", games=_GAMES)


@router.get("/rules/{game:game}")
async def rules(request: Request, game: str) -> Response:
    """Show the rules of a game of the registry."""
    return page(request, f"pages/rules_{game}.html", figures=BOARDS[GAMES[game]].figures())
