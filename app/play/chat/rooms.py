"""The rooms of chat, who may read and write in them, the greetings, and what is published."""

from collections.abc import Mapping
from enum import StrEnum

from app.core.events import Event, Topic
from app.core.i18n.text import Text, _
from app.play.games.game import GameState

MOST_CHARACTERS = 140
"""The length of a message."""

GREETINGS: Mapping[str, Text] = {
    "hello": _("Hello!"),
    "good_luck": _("Good luck!"),
    "have_fun": _("Have fun!"),
    "nice_move": _("Nice move!"),
    "well_played": _("Well played!"),
    "thanks": _("Thank you!"),
    "sorry": _("Sorry!"),
    "bye": _("Bye!"),
}


class Room(StrEnum):
    """A room of chat: one of the two beside a game, or that of a tournament."""

    PLAYERS = "players"
    SPECTATORS = "spectators"
    TOURNAMENT = "tournament"


OF_GAMES = (Room.PLAYERS, Room.SPECTATORS)


def may_read(room: Room, state: GameState, account_id: int | None) -> bool:
    """Return whether an account may read a room: its own during the game, both after it."""
    return state.result is not None or _is_own(room, state, account_id)


def may_write(room: Room, state: GameState, account_id: int | None) -> bool:
    """Return whether an account may write in a room: as for reading, but only players among players."""
    is_player = state.side_of(account_id) is not None
    return may_read(room, state, account_id) and (is_player or room is Room.SPECTATORS)


def _is_own(room: Room, state: GameState, account_id: int | None) -> bool:
    return (state.side_of(account_id) is not None) == (room is Room.PLAYERS)


def chat_topic(place: str) -> Topic:
    """Return the topic of what is said beside a game or in a tournament."""
    return Topic(f"chat:{place}")


class ChatSaid(Event, frozen=True):
    """Somebody said something in a room: a text, or the greeting with a key.

    `place` is the id of a game, or of a tournament, whose only room is `tournament`. `at` is a moment in
    milliseconds since the epoch.
    """

    place: str
    room: str
    id: int
    account_id: int
    username: str
    text: str | None
    greeting: str | None
    at: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the game's chat."""
        return (chat_topic(self.place),)
