"""The page of kept games, and the button on the page of a game."""

from starlette.responses import HTMLResponse, Response

from app.core.web.addresses import page_of
from app.core.web.current import connection
from app.core.web.deps import Part
from app.core.web.params import PageNumber, page_of_list
from app.core.web.redirects import go
from app.core.web.render import fragment, page, wants_htmx
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import PageOwner
from app.play.games.presenter.cards import MOST_MINIS, mini_view
from app.play.kept_games.service import KeptGames

router = page_router()


@router.get("/games/kept")
async def kept(viewer: PageOwner, kept_games: Part[KeptGames], number: PageNumber = 1) -> Response:
    """Show the boards of the games that the viewer has kept, those kept last first."""
    games, has_more = await kept_games.page(viewer, number=number, limit=MOST_MINIS)
    return page(
        "pages/kept_games.html",
        minis=[mini_view(each.game) for each in games],
        shown=page_of_list(games, number, has_more=has_more),
    )


@router.post("/games/{game_id:id}/keep")
async def keep(game_id: str, viewer: Stepping, kept_games: Part[KeptGames]) -> Response:
    """Keep a game."""
    await kept_games.keep(viewer, game_id)
    return _changed(game_id, is_kept=True)


@router.post("/games/{game_id:id}/keep/undo")
async def undo(game_id: str, viewer: Stepping, kept_games: Part[KeptGames]) -> Response:
    """Keep a game no longer."""
    await kept_games.remove(viewer, game_id)
    return _changed(game_id, is_kept=False)


def _changed(game_id: str, *, is_kept: bool) -> Response:
    """Return the other button for the page of a game, or lead a plain form back to its page."""
    if not wants_htmx():
        return go(page_of(connection()))
    shown = {"game_path": f"/games/{game_id}", "is_kept": is_kept}
    return HTMLResponse(fragment("partials/keeping_update.html", **shown))
