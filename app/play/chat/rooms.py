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
    """A room of chat: one of the two beside a game, that of a tournament, or that of a team."""

    PLAYERS = "players"
    SPECTATORS = "spectators"
    TOURNAMENT = "tournament"
    TEAM = "team"


OF_GAMES = (Room.PLAYERS, Room.SPECTATORS)


def own_players(room: Room, state: GameState) -> tuple[int, ...]:
    """Return the accounts whose own room it is beside a game; none but the players' is anybody's own."""
    return tuple(player.id for player in state.players) if room is Room.PLAYERS else ()


def may_read(room: Room, state: GameState, account_id: int | None) -> bool:
    """Return whether an account may read a room: its own during the game, both after it.

    A computer of this server answers nothing, so beside its games there is no room of players.
    """
    if room is Room.PLAYERS and state.is_against_computer:
        return False
    return state.result is not None or _is_own(room, state, account_id)


def may_write(room: Room, state: GameState, account_id: int | None) -> bool:
    """Return whether an account may write in a room: as for reading, but only players among players."""
    is_player = state.side_of(account_id) is not None
    return may_read(room, state, account_id) and (is_player or room is Room.SPECTATORS)


def opens(before: GameState, after: GameState) -> bool:
    """Return whether a step changes what `may_read` and `may_write` say: the end of the game."""
    return before.result is None and after.result is not None


def _is_own(room: Room, state: GameState, account_id: int | None) -> bool:
    return (state.side_of(account_id) is not None) == (room is Room.PLAYERS)


def chat_topic(place: str) -> Topic:
    """Return the topic of what is said beside a game, in a tournament or in a team."""
    return Topic(f"chat:{place}")


class ChatSaid(Event, frozen=True):
    """Somebody said something in a room: a text, or the greeting with a key.

    `place` is the id of a game, or of a tournament or team, which has only one room. `at` is a moment in
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
        """Return the topic of the place."""
        return (chat_topic(self.place),)


class LineRemoved(Event, frozen=True):
    """A moderator has removed the text of a message with an id, which was said in a place."""

    place: str
    id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the place."""
        return (chat_topic(self.place),)
