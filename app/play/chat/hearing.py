"""What live connections are sent of the chat beside a game."""

from app.core.events import Event, Resync
from app.core.moments import now
from app.core.web.render import fragment
from app.live.connections import Connection
from app.live.messages import Message
from app.live.pushing import LiveSubscription, push
from app.people.identity.service import Identity
from app.play.chat.presenter import line_view, room_views
from app.play.chat.rooms import ChatSaid, chat_topic
from app.play.chat.schemas import Said
from app.play.chat.service import Chat
from app.play.games.follow import Follower


def send_chat(connection: Connection, follower: Follower, chat: Chat) -> None:
    """Send what its reader hears beside a game as JSON, for as long as a connection is open."""
    opened_at = now()
    sent: set[int] = set()

    def send(said: ChatSaid) -> None:
        sent.add(said.id)
        text = Said.of(said).model_dump_json()
        connection.send(Message(f'{{"type":"chat","room":"{said.room}",{text[1:]}'.encode()))

    async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        viewer, state = connection.identity, follower.state
        match event:
            case ChatSaid(id=number) if number not in sent and await chat.hears(viewer, state, event):
                send(event)
            case Resync():
                for said in await chat.said_since(viewer, state, opened_at):
                    if said.id not in sent:
                        send(said)
        return ""

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
