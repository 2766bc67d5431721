"""What the rooms of games and tournaments share, and the commands of the chat beside games."""

import asyncio
import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache

from cachetools import LRUCache
from sqlalchemy import Select, bindparam, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from app.core.database.session import Database, reads_now
from app.core.database.statements import is_one_of, made_once
from app.core.database.unreadable import readable
from app.core.errors import ForbiddenError, InvalidError
from app.core.i18n.text import Text, _, ngettext
from app.core.moments import from_datetime
from app.core.realtime.bus import Bus
from app.people.identity.locking import Most
from app.people.identity.models import Account
from app.people.identity.sanctions import check_not_muted
from app.people.identity.service import Identity
from app.people.social.queries import blocked_between, hidden_authors, readers_hiding
from app.play.chat.models import ChatMessage
from app.play.chat.rooms import (
    GREETINGS,
    OF_GAMES,
    ChatSaid,
    Conversation,
    Room,
    may_read,
    may_write,
    own_players,
)
from app.play.games.game import GameState
from app.play.games.models import Game
from app.play.games.queries import played_by
from app.play.games.service import Games
from app.play.lobby.models import Challenge

_MOST_SHOWN = 200
_MOST_OF_DAY = Most(
    100,
    "too_many_messages",
    "You have sent %(count)s message here today, the most there may be. Go on tomorrow.",
    "You have sent %(count)s messages here today, the most there may be. Go on tomorrow.",
)
_DAY = timedelta(days=1)


async def is_new(session: AsyncSession, account_id: int) -> bool:
    """Return whether an account is less than a day old or has not finished a game."""
    return await _what_is_missing(session, account_id) is not None


async def why_closed(
    session: AsyncSession, identity: Identity, players: Collection[int]
) -> ForbiddenError | None:
    """Return why an account may send nothing but greetings, and from when on it may write; None if it may.

    `players` are those of a game who are among themselves: two who were brought together by a link know each
    other, and may write at once.
    """
    if players and await session.scalar(*_met_by_link(list(players))):
        return None
    if identity.is_guest:
        return ForbiddenError("guest", _("Guests can send greetings only. Register to write."))
    missing = await _what_is_missing(session, identity.id)
    return None if missing is None else ForbiddenError("new_account", missing)


async def _what_is_missing(session: AsyncSession, account_id: int) -> Text | None:
    seconds, is_player = (await session.execute(*_age(account_id))).one()
    hours = math.ceil(seconds / 3600)
    if hours <= 0:
        return None if is_player else _("New accounts can write once they have finished a game.")
    if is_player:
        return ngettext(
            "New accounts can write after a day: you in %(count)s hour.",
            "New accounts can write after a day: you in %(count)s hours.",
            hours,
        )
    return ngettext(
        "New accounts can write after a day and a finished game: you in %(count)s hour.",
        "New accounts can write after a day and a finished game: you in %(count)s hours.",
        hours,
    )


@made_once
def _age(account_id: int) -> Select[float, bool]:
    """Return the query for the seconds in which an account is new, and whether it has finished a game."""
    has_played = exists().where(played_by(account_id), Game.status == "finished")
    left = func.extract("epoch", Account.created_at + _DAY - func.now())
    return select(left, has_played).where(Account.id == account_id)


@made_once
def _met_by_link(players: list[int]) -> Select[bool]:
    return select(
        exists().where(
            Challenge.kind == "link",
            is_one_of(Challenge.maker_id, players),
            Challenge.game_id == Game.id,
            is_one_of(Game.first_player, players),
            is_one_of(Game.second_player, players),
        )
    )


@dataclass(frozen=True, slots=True)
class ChatWords:
    """What somebody says: a text, or the key of a greeting."""

    text: str | None = None
    greeting: str | None = None


async def in_room(
    session: AsyncSession,
    viewer: Identity | None,
    place: str,
    room: Room,
    players: Collection[int] = (),
    *,
    may_write: bool,
) -> Conversation:
    """Return a room as a viewer sees it.

    `players` are those whose own room it is, see `why_closed` and `_check_may_speak`.
    """
    messages = await said_in(session, viewer, place, room)
    if viewer is None or not may_write:
        return Conversation(place, room, messages, may_write=False, closed=None)
    try:
        await _check_may_speak(session, viewer, players)
    except ForbiddenError as refusal:
        return Conversation(place, room, messages, may_write=False, closed=refusal.message)
    closed = await why_closed(session, viewer, players)
    return Conversation(place, room, messages, may_write=True, closed=closed.message if closed else None)


async def said_in(session: AsyncSession, viewer: Identity | None, place: str, room: Room) -> list[ChatSaid]:
    """Return the last messages in a room that a viewer is shown, the oldest first."""
    rows = (await session.execute(_latest_in(room), {"place": place})).all()
    hidden = await hidden_authors(session, viewer.id if viewer else None) if rows else ()
    said = readable(_shown, reversed(rows))
    return [each for each in said if each.account_id not in hidden]


@cache
def _latest_in(room: Room) -> Select[ChatMessage, str]:
    """Return the query for the latest messages in the room of a place."""
    return (
        select(ChatMessage, Account.username)
        .join(Account, Account.id == ChatMessage.account_id)
        .where(_column_of(room) == bindparam("place"), ChatMessage.room == room)
        .order_by(ChatMessage.id.desc())
        .limit(_MOST_SHOWN)
    )


async def post(
    session: AsyncSession,
    identity: Identity,
    place: str,
    room: Room,
    words: ChatWords,
    players: Collection[int] = (),
) -> ChatSaid:
    """Post a message in a room, and return it as it is published after the commit.

    `players` are those whose own room it is, see `why_closed` and `_check_may_speak`.

    Raise InvalidError `bad_greeting`, ConflictError `too_many_messages`, or ForbiddenError: `muted`,
    `blocked`, `guest` or `new_account` (for texts).
    """
    if words.greeting is not None and words.greeting not in GREETINGS:
        raise InvalidError(
            "bad_greeting", _("Choose one of these greetings: %(greetings)s.", greetings=", ".join(GREETINGS))
        )
    await _check_may_speak(session, identity, players)
    if words.text is not None and (closed := await why_closed(session, identity, players)):
        raise closed
    await _check_number_of_day(session, identity, place, room)
    message = ChatMessage(room=room, account_id=identity.id, text=words.text, greeting=words.greeting)
    setattr(message, _column_of(room).key, place)
    session.add(message)
    await session.flush()
    await session.refresh(message)
    return _fact(message, identity.username)


class MuteFilter:
    """Whose messages a viewer is shown."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._hiding: LRUCache[int, asyncio.Task[frozenset[int]]] = LRUCache(maxsize=1)

    _readers_hiding = reads_now(readers_hiding)

    async def shows(self, viewer: Identity | None, message: ChatSaid) -> bool:
        """Return whether a viewer is shown a message. All callers share one reading for each message."""
        if viewer is None:
            return True
        if message.id not in self._hiding:
            self._hiding[message.id] = asyncio.create_task(self._readers_hiding(message.account_id))
        return viewer.id not in await asyncio.shield(self._hiding[message.id])


def has_chat(viewer: Identity | None, state: GameState) -> bool:
    """Return whether there is a chat beside a game for a viewer, now or after its end."""
    return not (state.is_solitaire or is_off(viewer))


def is_off(viewer: Identity | None) -> bool:
    """Return whether a viewer has switched chat off."""
    return viewer is not None and viewer.preferences.get("chat") == "off"


def check_is_on(viewer: Identity | None) -> None:
    """Raise ForbiddenError `chat_off` if a viewer has switched chat off."""
    if is_off(viewer):
        raise ForbiddenError("chat_off", _("You have switched chat off. Switch it on in the settings."))


def _shown(message: ChatMessage, username: str) -> ChatSaid:
    if message.greeting is not None and message.greeting not in GREETINGS:
        raise ValueError(f"There is no greeting {message.greeting!r}.")
    return _fact(message, username)


def _fact(message: ChatMessage, username: str) -> ChatSaid:
    """Return a message, with its author's name, as it is published."""
    return ChatSaid(
        message.game_id or message.tournament_id or message.team_id or "",
        message.room,
        message.id,
        message.account_id,
        username,
        message.text,
        message.greeting,
        from_datetime(message.at),
    )


def _column_of(room: Room) -> InstrumentedAttribute[str | None]:
    places = {Room.TOURNAMENT: ChatMessage.tournament_id, Room.TEAM: ChatMessage.team_id}
    return places.get(room, ChatMessage.game_id)


async def _check_number_of_day(session: AsyncSession, identity: Identity, place: str, room: Room) -> None:
    """Raise ConflictError `too_many_messages`. Rooms do not end, so what was said long ago does not count."""
    count = select(func.count()).where(
        _column_of(room) == place,
        ChatMessage.account_id == identity.id,
        ChatMessage.at > func.now() - _DAY,
    )
    await _MOST_OF_DAY.check(session, identity.id, count)


class Chat:
    """What is said beside the games of the server."""

    def __init__(self, database: Database, bus: Bus, games: Games) -> None:
        self._database = database
        self._bus = bus
        self._games = games
        self._mutes = MuteFilter(database)

    async def conversations(self, viewer: Identity | None, state: GameState) -> list[Conversation]:
        """Return the rooms of a game that a viewer may read; none if the viewer has switched chat off."""
        account_id = viewer.id if viewer else None
        async with self._database.reading_now() as session:
            rooms = [
                await in_room(
                    session,
                    viewer,
                    state.id,
                    room,
                    own_players(room, state),
                    may_write=may_write(room, state, account_id),
                )
                for room in OF_GAMES
                if _may_see(viewer, state, room)
            ]
        return [replace(room, is_private=state.result is None) for room in rooms]

    async def said_since(self, viewer: Identity | None, state: GameState, moment: int) -> list[ChatSaid]:
        """Return what a viewer may read that was said beside a game since a moment, in order."""
        said = await self._said(viewer, state, OF_GAMES)
        return sorted((each for each in said if each.at >= moment), key=lambda each: each.id)

    async def of_player(self, viewer: Identity | None, state: GameState) -> list[ChatSaid]:
        """Return what the players of a game said among them, for one of them; for others nothing."""
        if viewer is None or state.side_of(viewer.id) is None:
            return []
        return await self._said(viewer, state, (Room.PLAYERS,))

    async def read(self, viewer: Identity | None, game_id: str, room: Room) -> list[ChatSaid]:
        """Return the last messages of a room, the oldest first.

        Raise NotFoundError, ForbiddenError `chat_off`, `other_room`.
        """
        state = await self._games.seen_by(viewer, game_id)
        check_is_on(viewer)
        if not _may_see(viewer, state, room):
            raise _other_room(room, state)
        return await self._said(viewer, state, (room,))

    async def say(self, identity: Identity, game_id: str, room: Room, words: ChatWords) -> ChatSaid:
        """Post a message in a room.

        Raise NotFoundError, InvalidError `bad_greeting`, ConflictError `too_many_messages`, or
        ForbiddenError: `chat_off`, `other_room`, `muted`, `guest` or `new_account` (for texts), `blocked` if
        one of the players has blocked the other.
        """
        state = await self._games.seen_by(identity, game_id)
        check_is_on(identity)
        if state.is_solitaire or not may_write(room, state, identity.id):
            raise _other_room(room, state)
        async with self._database.transaction() as session:
            said = await post(session, identity, game_id, room, words, own_players(room, state))
        self._bus.publish(said)
        return said

    async def shows(self, viewer: Identity | None, state: GameState, message: ChatSaid) -> bool:
        """Return whether a viewer of a game is shown a message. All callers share one reading for each."""
        return _may_see(viewer, state, Room(message.room)) and await self._mutes.shows(viewer, message)

    async def _said(self, viewer: Identity | None, state: GameState, rooms: Iterable[Room]) -> list[ChatSaid]:
        """Return what was said in those rooms that a viewer is shown, room by room."""
        seen = [room for room in rooms if _may_see(viewer, state, room)]
        if not seen:
            return []
        async with self._database.reading_now() as session:
            return [said for room in seen for said in await said_in(session, viewer, state.id, room)]


def _may_see(viewer: Identity | None, state: GameState, room: Room) -> bool:
    return has_chat(viewer, state) and may_read(room, state, viewer.id if viewer else None)


async def _check_may_speak(session: AsyncSession, identity: Identity, players: Collection[int]) -> None:
    """Raise ForbiddenError `muted`, or `blocked` if it or one of the players has blocked the other."""
    await check_not_muted(session, identity.id)
    for player in players:
        if player != identity.id and await blocked_between(session, identity.id, player):
            raise ForbiddenError("blocked", _("You cannot write to this player."))


def _other_room(room: Room, state: GameState) -> ForbiddenError:
    """Return the refusal of somebody whose room it is not, or where there is none."""
    if state.is_solitaire:
        message = _("There is no chat beside a game that is played alone.")
    elif room is Room.SPECTATORS:
        message = _("This room is for the spectators until the game is over.")
    elif state.is_against_computer:
        message = _("The computer does not chat: beside its games there is no room for players.")
    else:
        message = _("This room is for the players. Choose the one for spectators.")
    return ForbiddenError("other_room", message)
