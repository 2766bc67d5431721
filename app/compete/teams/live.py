"""The live connection of the page of a team, for its members."""

from fastapi import APIRouter, WebSocket

from app.compete.teams.chat import TeamChat
from app.compete.teams.service import Teams
from app.core.events import Event, Resync
from app.core.web.deps import Part
from app.live.pushing import LiveSubscription, push
from app.live.service import Live
from app.play.chat.presenter import rooms_update, said_update
from app.play.chat.rooms import ChatSaid, chat_topic

router = APIRouter(include_in_schema=False)


@router.websocket("/teams/{team_id:id}/live")
async def live_team(
    websocket: WebSocket, team_id: str, live: Part[Live], teams: Part[Teams], chat: Part[TeamChat]
) -> None:
    """Push what the members say to the page of one of them."""
    async with live.page(websocket) as socket:
        viewer = socket.viewer

        async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
            if isinstance(event, ChatSaid):
                return said_update(event, viewer) if await chat.shows(viewer, event) else ""
            return rooms_update(await chat.conversations(viewer, await teams.get(team_id, viewer)), viewer)

        push(socket, render, chat_topic(team_id))
