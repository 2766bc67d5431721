"""The live connection of the page of a ladder."""

from fastapi import APIRouter, WebSocket

from app.compete.ladders.deps import FollowedLaddersDep, LaddersDep
from app.compete.ladders.drawing import Drawing
from app.core.events import Event, Resync, ladder_topic
from app.core.web.params import Before, Cursor
from app.live.deps import LiveDep
from app.live.pushing import LiveSubscription, push

router = APIRouter(include_in_schema=False)


@router.websocket("/ladders/{game:game}/live")
async def live_ladder(
    websocket: WebSocket,
    game: str,
    live: LiveDep,
    ladders: LaddersDep,
    followed_ladders: FollowedLaddersDep,
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
