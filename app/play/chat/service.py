"""The commands of chat: reading a room, and saying something in it."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import ForbiddenError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.people.identity.service import Identity
from app.people.social.queries import blocked_between
from app.play.chat.events import ChatSaid
from app.play.chat.posting import Conversation, Ears, Words, in_room, is_off, off, post
from app.play.chat.rooms import OF_GAMES, Room, may_read, may_write
from app.play.games.game import GameState
from app.play.games.service import Games


class Chat:
    """What is said beside the games of the server."""

    def __init__(self, database: Database, bus: Bus, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._games = games
        self._ears = Ears(database)

    async def conversations(self, viewer: Identity | None, state: GameState) -> list[Conversation]:
        """Return the rooms of a game that a viewer may read; none if the viewer has switched chat off."""
        if state.is_solitaire or is_off(viewer):
            return []
        account_id = viewer.id if viewer else None
        async with self._database.reading_now() as session:
            return [
                await in_room(session, viewer, state.id, room, may_write=may_write(room, state, account_id))
                for room in OF_GAMES
                if may_read(room, state, account_id)
            ]

    async def said_since(self, viewer: Identity | None, state: GameState, moment: int) -> list[ChatSaid]:
        """Return what a viewer may read that was said beside a game since a moment, in order."""
        rooms = await self.conversations(viewer, state)
        said = (each for room in rooms for each in room.messages if each.at >= moment)
        return sorted(said, key=lambda each: each.id)

    async def of_player(self, viewer: Identity | None, state: GameState) -> list[Conversation]:
        """Return the rooms of a game for one of its players; none for others, whose record has no chat."""
        if viewer is None or state.side_of(viewer.id) is None:
            return []
        return await self.conversations(viewer, state)

    async def read(self, viewer: Identity | None, game_id: str, room: Room) -> list[ChatSaid]:
        """Return the last messages of a room, the oldest first.

        Raise NotFoundError, ForbiddenError `chat_off`, `other_room`.
        """
        state = await self._games.seen_by(viewer, game_id)
        for conversation in await self.conversations(viewer, state):
            if conversation.room is room:
                return conversation.messages
        raise off() if is_off(viewer) else _other_room()

    async def say(self, identity: Identity, game_id: str, room: Room, words: Words) -> ChatSaid:
        """Post a message in a room.

        Raise NotFoundError, InvalidError `bad_greeting`, ConflictError `too_many_messages`, or
        ForbiddenError: `chat_off`, `other_room`, `muted`, `guest` or `new_account` (for texts), `blocked` if
        one of the players has blocked the other.
        """
        state = await self._games.seen_by(identity, game_id)
        if is_off(identity):
            raise off()
        if state.is_solitaire or not may_write(room, state, identity.id):
            raise _other_room()
        async with self._database.transaction() as session:
            if room is Room.PLAYERS:
                await _check_not_blocked(session, identity, state)
            said = await post(session, identity, game_id, room, words)
        self._bus.publish(said)
        return said

    async def hears(self, viewer: Identity | None, state: GameState, message: ChatSaid) -> bool:
        """Return whether a viewer of a game is shown a message. All callers share one reading for each."""
        if is_off(viewer) or not may_read(Room(message.room), state, viewer.id if viewer else None):
            return False
        return await self._ears.hear(viewer, message)


async def _check_not_blocked(session: AsyncSession, identity: Identity, state: GameState) -> None:
    for player in state.players:
        if player.id != identity.id and await blocked_between(session, identity.id, player.id):
            raise ForbiddenError("blocked", _("You cannot write to this player."))


def _other_room() -> ForbiddenError:
    return ForbiddenError(
        "other_room",
        _("During a game, players and spectators have a room each. Choose yours."),
    )
