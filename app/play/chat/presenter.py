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
from app.play.chat.rooms import GREETINGS, ChatSaid, Room, chat_topic
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
    """A room: its messages, and what its viewer may send."""

    room: str
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
_EMPTY = {
    Room.PLAYERS: _("Nothing has been said yet. Spectators cannot read it while the game is played."),
    Room.SPECTATORS: _("Nothing has been said yet. The players cannot read it while the game is played."),
    Room.TOURNAMENT: _("Nothing has been said yet."),
    Room.TEAM: _("Nothing has been said yet."),
}
_PAGES = {Room.TOURNAMENT: "tournaments", Room.TEAM: "teams"}


def room_views(conversations: Iterable[Conversation]) -> list[RoomView]:
    """Return rooms as their viewer sees them."""
    return [
        RoomView(
            room=conversation.room,
            title=_TITLES[conversation.room],
            empty=_EMPTY[conversation.room],
            lines=[line_view(message) for message in conversation.messages],
            greetings=GREETINGS if conversation.may_write else {},
            closed=conversation.closed,
        )
        for conversation in conversations
    ]


def transcript(conversations: Iterable[Conversation]) -> str:
    """Return what was said among the players as comments of a game's record; greetings are in English."""
    return "".join(
        f"; {said.username}: {line_view(said).words}\n"
        for conversation in conversations
        if conversation.room is Room.PLAYERS
        for said in conversation.messages
    )


def line_view(said: ChatSaid) -> LineView:
    """Return a message as pages show it."""
    words = (said.text or _("removed by a moderator")) if said.greeting is None else GREETINGS[said.greeting]
    pages = _PAGES.get(Room(said.room), "games")
    return LineView(said.id, f"/{pages}/{said.place}", said.room, said.username, words, to_datetime(said.at))


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
