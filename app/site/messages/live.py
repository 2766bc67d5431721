"""The live connection of a thread's page."""

from fastapi import APIRouter, WebSocket

from app.core.events import Event, Resync, account_topic
from app.core.web.deps import Part
from app.core.web.render import fragment
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.site.messages.events import MessageRemoved, MessageSent
from app.site.messages.service import Messages

router = APIRouter(include_in_schema=False)


@router.websocket("/messages/{username}/live")
async def live_thread(
    websocket: WebSocket, username: str, live: Part[Live], messages: Part[Messages]
) -> None:
    """Push the last messages exchanged with a player to the page of the thread, whenever they change."""
    async with live.page(websocket) as socket:
        viewer = socket.viewer

        async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            if event is not None and not isinstance(event, MessageSent | MessageRemoved | Resync):
                return ""
            thread = await messages.thread(viewer, username)
            return fragment("partials/letters_update.html", thread=thread, viewer=viewer)

        push(socket, render, account_topic(viewer.id))
