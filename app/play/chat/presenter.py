"""The views of chat, what builds them, and what live connections are sent of the chat beside a game."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.core.events import Event, Resync
from app.core.i18n.text import Text, _
from app.core.moments import now, to_datetime
from app.core.web.render import fragment
from app.live.connections import Connection
from app.live.messages import Message
from app.live.pushing import LiveSubscription, push
from app.people.identity.service import Identity
from app.play.chat.rooms import GREETINGS, ChatSaid, LineRemoved, Room, chat_topic
from app.play.chat.schemas import Said
from app.play.chat.service import Chat, Conversation
from app.play.games.follow import Follower


@dataclass(frozen=True, slots=True)
class LineView:
    """A message; the words of a greeting are translated for each reader."""

    id: int
    page: str  # "/games/k7m2wq9xab"
    room: str
    username: str
    words: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RoomView:
    """A room: its messages, and what its viewer may send to the path `action`."""

    room: str
    action: str  # "/games/k7m2wq9xab/chat"
    title: Text
    empty: Text
    lines: Sequence[LineView]
    greetings: Mapping[str, Text]
    closed: Text | None


_TITLES = {
    Room.PLAYERS: _("Players"),
    Room.SPECTATORS: _("Spectators"),
    Room.TOURNAMENT: _("Everybody"),
    Room.TEAM: _("Members"),
}
_EMPTY = _("Nothing has been said yet.")
_EMPTY_OF_GAME = {
    Room.PLAYERS: _("Nothing has been said yet. Spectators cannot read it while the game is played."),
    Room.SPECTATORS: _("Nothing has been said yet. The players cannot read it while the game is played."),
}
_PAGES = {Room.TOURNAMENT: "tournaments", Room.TEAM: "teams"}


def room_views(conversations: Iterable[Conversation]) -> list[RoomView]:
    """Return rooms as their viewer sees them."""
    return [
        RoomView(
            room=conversation.room,
            action=f"{_page_of(conversation.room, conversation.place)}/chat",
            title=_TITLES[conversation.room],
            empty=_EMPTY_OF_GAME[conversation.room] if conversation.is_private else _EMPTY,
            lines=[line_view(message) for message in conversation.messages],
            greetings=GREETINGS if conversation.may_write else {},
            closed=conversation.closed,
        )
        for conversation in conversations
    ]


def transcript(messages: Iterable[ChatSaid]) -> str:
    """Return what was said as comments of a game's record; greetings are in English."""
    return "".join(f"; {said.username}: {line_view(said).words}\n" for said in messages)


def line_view(said: ChatSaid) -> LineView:
    """Return a message as pages show it."""
    words = (said.text or _("removed by a moderator")) if said.greeting is None else GREETINGS[said.greeting]
    page = _page_of(Room(said.room), said.place)
    return LineView(said.id, page, said.room, said.username, words, to_datetime(said.at))


def _page_of(room: Room, place: str) -> str:
    return f"/{_PAGES.get(room, 'games')}/{place}"


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


def rooms_update(conversations: Iterable[Conversation], viewer: Identity | None) -> str:
    """Return what shows the rooms on an open page as they are now, whatever it showed before."""
    return fragment("partials/chat_update.html", rooms=room_views(conversations), viewer=viewer)


def said_update(said: ChatSaid, viewer: Identity | None) -> str:
    """Return what shows a message on an open page."""
    return fragment("partials/chat_said.html", line=line_view(said), viewer=viewer)
