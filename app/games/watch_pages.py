"""Games in progress as small live boards: a page of them, and one for the home page."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, WebSocket
from starlette.responses import Response

from app.events import GAMES, Event, GameChanged, Resync, game_topic
from app.games.deps import GamesDep
from app.games.presenter import mini_view
from app.games.service import Games
from app.games.views import MiniView
from app.live.deps import LiveDep
from app.live.service import push
from app.realtime.hub import Subscription
from app.web.render import fragment, page

router = APIRouter(include_in_schema=False)

MOST = 12  # boards at once


@router.get("/watch")
async def watch_page(request: Request, games: GamesDep) -> Response:
    """Show the games in progress, the strongest players' first."""
    return page(request, "pages/watch.html", minis=await in_progress(games, MOST), most=MOST)


async def in_progress(games: Games, limit: int) -> list[MiniView]:
    """Return running games as small boards, those of the strongest players first."""
    return [mini_view(state) for state in await games.to_watch(limit)]


@router.websocket("/watch/live")
async def live_watch(
    websocket: WebSocket,
    games: GamesDep,
    live: LiveDep,
    most: Annotated[int, Query(ge=1, le=MOST)] = MOST,
) -> None:
    """Push each move of the games that are shown; when one ends, another takes its place."""

    async def render(event: Event | Resync | None, subscription: Subscription) -> str:
        if isinstance(event, GameChanged) and not event.is_over:
            return fragment("partials/mini_update.html", mini=mini_view(await games.after(event)))
        states = await games.to_watch(most)
        subscription.listen_to(GAMES, *(game_topic(state.id) for state in states))
        return fragment("partials/minis_update.html", minis=[mini_view(state) for state in states])

    async with live.page(websocket) as socket:
        push(socket, render, GAMES)
        await socket.closed()
