"""The rooms of chat, who may read and write in them, the greetings, and what is published."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from app.core.events import Event, Topic
from app.core.i18n.text import Text, _
from app.core.moments import to_datetime
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
_PAGES: Mapping[str, str] = {Room.TOURNAMENT: "tournaments", Room.TEAM: "teams"}


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


def _page_of(room: str, place: str) -> str:
    return f"/{_PAGES.get(room, 'games')}/{place}"


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

    @property
    def page(self) -> str:
        """Return the address of the place: "/games/k7m2wq9xab"."""
        return _page_of(self.room, self.place)

    @property
    def words(self) -> str:
        """Return what was said; a greeting is translated for each reader."""
        if self.greeting is not None:
            return GREETINGS[self.greeting]
        return self.text or _("removed by a moderator")

    @property
    def said_at(self) -> datetime:
        """Return when it was said."""
        return to_datetime(self.at)


class LineRemoved(Event, frozen=True):
    """A moderator has removed the text of a message with an id, which was said in a place."""

    place: str
    id: int

    @property
    def topics(self) -> tuple[Topic, ...]:
        """Return the topic of the place."""
        return (chat_topic(self.place),)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A room of a place as one viewer sees it.

    `closed` says why they may send greetings only, or nothing at all; None: they may write. `is_private`:
    only those whose own room it is may read it.
    """

    place: str
    room: Room
    messages: Sequence[ChatSaid]
    may_write: bool
    closed: Text | None
    is_private: bool = False

    @property
    def action(self) -> str:
        """Return the address of its form: "/games/k7m2wq9xab/chat"."""
        return f"{_page_of(self.room, self.place)}/chat"

    @property
    def title(self) -> Text:
        """Return its heading."""
        return _TITLES[self.room]

    @property
    def empty(self) -> Text:
        """Return what it shows as long as nothing has been said."""
        return _EMPTY_OF_GAME[self.room] if self.is_private else _EMPTY

    @property
    def greetings(self) -> Mapping[str, Text]:
        """Return the greetings that the viewer may send."""
        return GREETINGS if self.may_write else {}
