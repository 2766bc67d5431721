"""Builds the views of chat."""

from collections.abc import Iterable

from app.core.i18n.text import _
from app.core.moments import to_datetime
from app.play.chat.events import ChatSaid
from app.play.chat.greetings import GREETINGS
from app.play.chat.posting import Conversation
from app.play.chat.rooms import Room
from app.play.chat.views import LineView, RoomView

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
