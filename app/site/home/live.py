"""The live connection of the home page."""

from fastapi import APIRouter, WebSocket

from app.core.events import Event, Resync, account_topic, player_topic
from app.core.web.deps import Part
from app.core.web.params import Shown
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.play.games.presenter.cards import games_to_go_on
from app.play.lobby.service import Lobby
from app.site.home.presenter import live_home

router = APIRouter(include_in_schema=False)


@router.websocket("/home/live")
async def home(websocket: WebSocket, live: Part[Live], lobby: Part[Lobby], shown: Shown = "") -> None:
    """Push the viewer's games, and the players whom they follow: who is online and what they play."""
    async with live.page(websocket) as socket:
        viewer = socket.viewer

        async def render(_event: Event | Resync | None, subscription: LiveSubscription) -> str:
            overview = await lobby.overview(viewer)
            followed = (player_topic(friend.account_id) for friend in overview.friends)
            subscription.listen_to(account_topic(viewer.id), *followed)
            return live_home(overview, games_to_go_on(overview.games)).update

        push(socket, render, account_topic(viewer.id), shown=shown)
