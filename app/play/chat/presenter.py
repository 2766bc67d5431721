"""What pages, records and live connections show of chat."""

from collections.abc import Iterable, Sequence

from app.core.events import Event, Resync
from app.core.moments import now
from app.core.web.render import fragment
from app.live.connections import Connection
from app.live.messages import Message
from app.live.pushing import LiveSubscription, push
from app.people.identity.service import Identity
from app.play.chat.rooms import ChatSaid, Conversation, LineRemoved, chat_topic
from app.play.chat.schemas import Said
from app.play.chat.service import Chat
from app.play.games.follow import Follower


def transcript(messages: Iterable[ChatSaid]) -> str:
    """Return what was said as comments of a game's record; greetings are in English."""
    return "".join(f"; {said.username}: {said.words}\n" for said in messages)


def send_chat(connection: Connection, follower: Follower, chat: Chat) -> None:
    """Send what its reader sees beside a game as JSON, for as long as a connection is open."""
    opened_at = now()
    sent: set[int] = set()

    def send(said: ChatSaid) -> None:
        sent.add(said.id)
        text = Said.of(said).model_dump_json()
        connection.send(Message(f'{{"type":"chat","room":"{said.room}",{text[1:]}'.encode()))

    async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        viewer, state = connection.identity, follower.state
        match event:
            case ChatSaid(id=number) if number not in sent and await chat.shows(viewer, state, event):
                send(event)
            case LineRemoved(id=number):
                for said in await chat.said_since(viewer, state, 0):
                    if said.id == number:
                        send(said)
            case Resync():
                for said in await chat.said_since(viewer, state, opened_at):
                    if said.id not in sent:
                        send(said)
        return ""

    push(connection, render, chat_topic(follower.state.id))


def show_chat(connection: Connection, follower: Follower, chat: Chat) -> LiveSubscription:
    """Show a page what its reader sees: the rooms at first, then each message.

    Whoever shows it a step that `opens` the rooms looks at them again.
    """

    async def render(event: Event | Resync | None, _subscription: LiveSubscription) -> str:
        viewer, state = connection.identity, follower.state
        if not isinstance(event, ChatSaid):
            return rooms_update(await chat.conversations(viewer, state), viewer)
        if not await chat.shows(viewer, state, event):
            return ""
        return said_update(event, viewer)

    return push(connection, render, chat_topic(follower.state.id))


def rooms_update(conversations: Sequence[Conversation], viewer: Identity | None) -> str:
    """Return what shows the rooms on an open page as they are now, whatever it showed before."""
    return fragment("partials/chat_update.html", rooms=conversations, viewer=viewer)


def said_update(said: ChatSaid, viewer: Identity | None) -> str:
    """Return what shows a message on an open page."""
    return fragment("partials/chat_said.html", line=said, viewer=viewer)
