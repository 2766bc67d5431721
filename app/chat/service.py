"""The commands of chat: reading a room, and saying something in it."""

import asyncio
from dataclasses import dataclass

from cachetools import LRUCache
from sqlalchemy.ext.asyncio import AsyncSession

from app.chat import queries
from app.chat.greetings import GREETINGS
from app.chat.models import ChatMessage
from app.chat.rooms import Room, may_read, may_write
from app.database.session import Database
from app.errors import ConflictError, ForbiddenError, InvalidError
from app.events import ChatSaid
from app.games.game import GameState
from app.games.service import Games
from app.i18n.text import _, ngettext
from app.identity.limits import check_limit
from app.identity.sanctions import check_not_muted
from app.identity.service import Identity
from app.realtime.bus import Bus
from app.social.queries import blocked_between, deaf_to, unheard_by

_MOST_OF_ACCOUNT = 100  # messages beside one game


@dataclass(frozen=True, slots=True)
class Words:
    """What somebody says: a text, or the key of a greeting."""

    text: str | None = None
    greeting: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A room as one viewer sees it. `may_type` says whether they may write more than greetings."""

    room: Room
    messages: list[ChatSaid]
    may_write: bool
    may_type: bool


class Chat:
    """What is said beside the games of the server."""

    def __init__(self, database: Database, bus: Bus, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._games = games
        self._deaf: LRUCache[int, asyncio.Task[frozenset[int]]] = LRUCache(maxsize=1)

    async def conversations(self, viewer: Identity | None, state: GameState) -> list[Conversation]:
        """Return the rooms of a game that a viewer may read; none if the viewer has switched chat off."""
        if state.is_solitaire or is_off(viewer):
            return []
        account_id = viewer.id if viewer else None
        async with self._database.reading_now() as session:
            unheard = await unheard_by(session, viewer.id) if viewer else frozenset()
            may_type = viewer is not None and not await _has_greetings_only(session, viewer)
            return [
                Conversation(
                    room,
                    [
                        message
                        for message in await queries.said(session, state.id, room)
                        if message.account_id not in unheard
                    ],
                    viewer is not None and may_write(room, state, account_id),
                    may_type,
                )
                for room in Room
                if may_read(room, state, account_id)
            ]

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
        raise _off() if is_off(viewer) else _other_room()

    async def say(self, identity: Identity, game_id: str, room: Room, words: Words) -> ChatSaid:
        """Post a message in a room.

        Raise NotFoundError, InvalidError `bad_greeting`, ConflictError `too_many_messages`, or
        ForbiddenError: `chat_off`, `other_room`, `muted`, `guest` or `new_account` (for texts), `blocked` if
        one of the players has blocked the other.
        """
        state = await self._games.seen_by(identity, game_id)
        if is_off(identity):
            raise _off()
        if state.is_solitaire or not may_write(room, state, identity.id):
            raise _other_room()
        if words.greeting is not None and words.greeting not in GREETINGS:
            raise InvalidError(
                "bad_greeting", _("The greeting is one of %(greetings)s.", greetings=", ".join(GREETINGS))
            )
        async with self._database.transaction() as session:
            await check_not_muted(session, identity.id)
            if words.text is not None:
                await _check_may_type(session, identity)
            if room is Room.PLAYERS:
                await _check_not_blocked(session, identity, state)
            await _check_number(session, identity, game_id)
            message = ChatMessage(
                game_id=game_id,
                room=room,
                account_id=identity.id,
                text=words.text,
                greeting=words.greeting,
            )
            session.add(message)
            await session.flush()
            await session.refresh(message)
            said = queries.fact(message, identity.username)
        self._bus.publish(said)
        return said

    async def hears(self, viewer: Identity | None, state: GameState, message: ChatSaid) -> bool:
        """Return whether a viewer of a game is shown a message. All callers share one reading for each."""
        if is_off(viewer) or not may_read(Room(message.room), state, viewer.id if viewer else None):
            return False
        if viewer is None:
            return True
        if message.id not in self._deaf:
            self._deaf[message.id] = asyncio.create_task(self._deaf_to(message.account_id))
        return viewer.id not in await asyncio.shield(self._deaf[message.id])

    async def _deaf_to(self, account_id: int) -> frozenset[int]:
        async with self._database.reading_now() as session:
            return await deaf_to(session, account_id)


def is_off(viewer: Identity | None) -> bool:
    """Return whether a viewer has switched chat off."""
    return viewer is not None and viewer.preferences.get("chat") == "off"


async def _has_greetings_only(session: AsyncSession, identity: Identity) -> bool:
    return identity.is_guest or await queries.is_new(session, identity.id)


async def _check_may_type(session: AsyncSession, identity: Identity) -> None:
    if identity.is_guest:
        raise ForbiddenError("guest", _("Guests can send greetings only. Register to write."))
    if await queries.is_new(session, identity.id):
        raise ForbiddenError(
            "new_account",
            _("New accounts can send greetings only. Write once you have finished a game, from tomorrow on."),
        )


async def _check_not_blocked(session: AsyncSession, identity: Identity, state: GameState) -> None:
    for player in state.players:
        if player.id != identity.id and await blocked_between(session, identity.id, player.id):
            raise ForbiddenError("blocked", _("You cannot write to this player."))


async def _check_number(session: AsyncSession, identity: Identity, game_id: str) -> None:
    error = ConflictError(
        "too_many_messages",
        ngettext(
            "You have sent %(count)s message beside this game, the most there may be.",
            "You have sent %(count)s messages beside this game, the most there may be.",
            _MOST_OF_ACCOUNT,
        ),
    )
    count = queries.count_said(game_id, identity.id)
    await check_limit(session, identity.id, count, _MOST_OF_ACCOUNT, error)


def _off() -> ForbiddenError:
    return ForbiddenError("chat_off", _("You have switched chat off. Switch it on in the settings."))


def _other_room() -> ForbiddenError:
    return ForbiddenError(
        "other_room",
        _("During a game, players and spectators have a room each. Choose yours."),
    )
