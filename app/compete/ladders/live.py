"""The live connection of the page of a ladder."""

from fastapi import APIRouter, WebSocket

from app.compete.ladders.drawing import Drawing
from app.compete.ladders.events import ladder_topic
from app.compete.ladders.follow import FollowedLadders
from app.compete.ladders.service import Ladders
from app.core.events import Event, Resync
from app.core.web.deps import Part
from app.core.web.params import Before, Cursor
from app.live.pushing import LiveSubscription, push
from app.live.service import Live

router = APIRouter(include_in_schema=False)


@router.websocket("/ladders/{game:game}/live")
async def live_ladder(
    websocket: WebSocket,
    game: str,
    live: Part[Live],
    ladders: Part[Ladders],
    followed_ladders: Part[FollowedLadders],
    cursor: Cursor = "",
    before: Before = None,
) -> None:
    """Push a page of a ladder whenever the ladder changes."""
    async with live.page(websocket) as socket:
        viewer = socket.identity
        drawing = Drawing(game, viewer, cursor, before)

        async def render(_event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            own = await ladders.own(game, viewer) if viewer else None
            return drawing.update(await followed_ladders.read(game, cursor), own)

        push(socket, render, ladder_topic(game))
        await socket.closed()
