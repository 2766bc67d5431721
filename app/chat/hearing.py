"""What live connections are sent of the chat beside a game."""

from app.chat.presenter import line_view, room_views
from app.chat.schemas import Said
from app.chat.service import Chat
from app.events import ChatSaid, Event, Resync, chat_topic
from app.games.follow import Follower
from app.identity.service import Identity
from app.live.connections import Connection
from app.live.pushing import LiveSubscription, push
from app.web.render import fragment


def send_chat(connection: Connection, follower: Follower, chat: Chat) -> None:
    """Send what its reader hears beside a game as JSON, for as long as a connection is open."""

    async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        if not isinstance(event, ChatSaid):
            return ""
        if not await chat.hears(connection.identity, follower.state, event):
            return ""
        said = Said.of(event).model_dump_json()
        return f'{{"type":"chat","room":"{event.room}",{said[1:]}'

    push(connection, render, chat_topic(follower.state.id))


def show_chat(connection: Connection, follower: Follower, chat: Chat) -> None:
    """Show a page what its reader hears: the rooms at first, then each message."""

    async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        viewer, state = connection.identity, follower.state
        if not isinstance(event, ChatSaid):
            rooms = room_views(await chat.conversations(viewer, state))
            return fragment("partials/chat_update.html", rooms=rooms, viewer=viewer) if rooms else ""
        if not await chat.hears(viewer, state, event):
            return ""
        return said_update(event, viewer)

    push(connection, render, chat_topic(follower.state.id))


def said_update(said: ChatSaid, viewer: Identity | None) -> str:
    """Return what shows a message on an open page."""
    return fragment("partials/chat_said.html", line=line_view(said), viewer=viewer)
