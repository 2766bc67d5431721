"""The rules of each game as a page."""

from starlette.responses import Response

from app.core.i18n.text import _
from app.core.web.render import page
from app.people.identity.pages import page_router
from app.play.games.boards import BOARDS
from engine.registry import GAMES

router = page_router()


_GAMES = (
    *((key, rules.title, BOARDS[rules].summary) for key, rules in GAMES.items()),
    (
        "golden_nugget",
        "Golden Nugget",
        _("For one: sort 49 blocks in as few moves as you can, and enter the world ranking."),
    ),
)


@router.get("/rules")
async def rules_index() -> Response:
    """List the games with links to their rules."""
    return page("pages/rules.html", games=_GAMES)


@router.get("/rules/{game:game}")
async def rules(game: str) -> Response:
    """Show the rules of a game of the registry."""
    return page(f"pages/rules_{game}.html", figures=BOARDS[GAMES[game]].figures())
