"""Games in progress as little live boards: the page of all of them, and the featured one of the home page."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, WebSocket
from starlette.responses import Response

from app.errors import AppError
from app.events import GAMES, GameChanged, Resync, game_topic
from app.games.deps import GamesDep
from app.games.presenter import mini_view
from app.games.service import Games
from app.games.views import MiniView
from app.realtime import sockets
from app.web.deps import HubDep, SettingsDep
from app.web.origin import check_same_origin
from app.web.render import fragment, page

router = APIRouter(include_in_schema=False)

MOST = 12  # boards at once


@router.get("/watch")
async def watch_page(request: Request, games: GamesDep) -> Response:
    """Show the games in progress, the strongest players' first."""
    return page(request, "pages/watch.html", minis=await in_progress(games, MOST), most=MOST)


async def in_progress(games: Games, limit: int) -> list[MiniView]:
    """Give some games in progress as little boards, those of the strongest players first."""
    return [mini_view(await games.get(game_id)) for game_id in await games.to_watch(limit)]


@router.websocket("/watch/live")
async def live_watch(
    websocket: WebSocket,
    games: GamesDep,
    hub: HubDep,
    settings: SettingsDep,
    most: Annotated[int, Query(ge=1, le=MOST)] = MOST,
) -> None:
    """Push each move of the games that are shown; one that ends makes room for another."""
    await websocket.accept()
    try:
        check_same_origin(websocket.headers, settings.public_url)
    except AppError as error:
        await sockets.refuse(websocket, sockets.close_code(error))
        return
    with hub.subscribe(GAMES) as subscription:

        async def all_of_them() -> str:
            ids = await games.to_watch(most)
            subscription.listen_to(GAMES, *map(game_topic, ids))
            minis = [mini_view(await games.get(game_id)) for game_id in ids]
            return fragment("partials/minis_update.html", minis=minis)

        async def messages(item: Any) -> list[str]:
            if item is None:
                return [sockets.HEARTBEAT]
            if not isinstance(item, GameChanged) or item.is_over:
                return [await all_of_them()]
            state = await games.at_least(item.game_id, item.version)
            return [fragment("partials/mini_update.html", mini=mini_view(state))]

        subscription.put(Resync())
        await sockets.run(websocket, subscription, messages, sockets.ignore)
