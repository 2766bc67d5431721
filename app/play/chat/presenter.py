"""The views of chat, and what builds them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.core.i18n.text import Text, _
from app.core.moments import to_datetime
from app.play.chat.rooms import GREETINGS, ChatSaid, Room
from app.play.chat.service import Conversation


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
    lines: Sequence[LineView]
    greetings: Mapping[str, Text]
    may_type: bool


_TITLES = {Room.PLAYERS: _("Players"), Room.SPECTATORS: _("Spectators"), Room.TOURNAMENT: _("Everybody")}


def room_views(conversations: Iterable[Conversation]) -> list[RoomView]:
    """Return rooms as their viewer sees them."""
    return [
        RoomView(
            room=conversation.room,
            title=_TITLES[conversation.room],
            lines=[line_view(message) for message in conversation.messages],
            greetings=GREETINGS if conversation.may_write else {},
            may_type=conversation.may_write and conversation.may_type,
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
    pages = "tournaments" if said.room == Room.TOURNAMENT else "games"
    return LineView(said.id, f"/{pages}/{said.place}", said.room, said.username, words, to_datetime(said.at))
