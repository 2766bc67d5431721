"""The rooms of chat, who may read and write in which of a game's two, and the greetings."""

from collections.abc import Mapping
from enum import StrEnum

from app.core.i18n.text import Text, _
from app.play.games.game import GameState

MOST_CHARACTERS = 140
"""The length of a message."""


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
