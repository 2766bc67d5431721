"""The way to the next game that waits for the viewer."""

from typing import Annotated

from fastapi import Query
from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.redirects import go
from app.people.identity.pages import page_router
from app.people.identity.viewer import SignedIn
from app.play.games.service import Games
from app.play.lobby.service import Lobby
from app.site.notifications.service import situation

router = page_router()


@router.get("/games/next")
async def next_game(
    viewer: SignedIn,
    games: Part[Games],
    lobby: Part[Lobby],
    after: Annotated[str, Query(max_length=32)] = "",
) -> Response:
    """Go to the most urgent game that waits for the viewer, if there is one other than `after`."""
    turns = (await situation(viewer.id, games, lobby)).turns
    others = [game for game in turns if game.id != after] or turns
    return go(f"/games/{others[0].id}" if others else "/games")
