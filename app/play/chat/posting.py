"""What the rooms of games and tournaments share: posting a message, and who is shown it."""

import asyncio
from dataclasses import dataclass

from cachetools import LRUCache
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import ConflictError, ForbiddenError, InvalidError
from app.core.i18n.text import _, ngettext
from app.people.identity.locking import check_limit
from app.people.identity.sanctions import check_not_muted
from app.people.identity.service import Identity
from app.people.social.queries import deaf_to, unheard_by
from app.play.chat import queries
from app.play.chat.events import ChatSaid
from app.play.chat.greetings import GREETINGS
from app.play.chat.models import ChatMessage
from app.play.chat.rooms import Room

_MOST_OF_ACCOUNT = 100  # messages at one place


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


async def in_room(
    session: AsyncSession, viewer: Identity | None, place: str, room: Room, *, may_write: bool
) -> Conversation:
    """Return a room as a viewer sees it, without the messages of players whom the viewer does not hear."""
    unheard = await unheard_by(session, viewer.id if viewer else None)
    messages = [said for said in await queries.said(session, place, room) if said.account_id not in unheard]
    may_type = viewer is not None and not await _has_greetings_only(session, viewer)
    return Conversation(room, messages, viewer is not None and may_write, may_type)


async def post(session: AsyncSession, identity: Identity, place: str, room: Room, words: Words) -> ChatSaid:
    """Post a message in a room, and return it as it is published after the commit.

    Raise InvalidError `bad_greeting`, ConflictError `too_many_messages`, or ForbiddenError: `muted`, `guest`
    or `new_account` (for texts).
    """
    if words.greeting is not None and words.greeting not in GREETINGS:
        raise InvalidError(
            "bad_greeting", _("The greeting is one of %(greetings)s.", greetings=", ".join(GREETINGS))
        )
    await check_not_muted(session, identity.id)
    if words.text is not None:
        await _check_may_type(session, identity)
    await _check_number(session, identity, place, room)
    message = ChatMessage(room=room, account_id=identity.id, text=words.text, greeting=words.greeting)
    setattr(message, queries.column_of(room).key, place)
    session.add(message)
    await session.flush()
    await session.refresh(message)
    return queries.fact(message, identity.username)


class Ears:
    """Who hears whom."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._deaf: LRUCache[int, asyncio.Task[frozenset[int]]] = LRUCache(maxsize=1)

    async def hear(self, viewer: Identity | None, message: ChatSaid) -> bool:
        """Return whether a viewer is shown a message. All callers share one reading for each message."""
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


def off() -> ForbiddenError:
    """Return the refusal of an account that has switched chat off."""
    return ForbiddenError("chat_off", _("You have switched chat off. Switch it on in the settings."))


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


async def _check_number(session: AsyncSession, identity: Identity, place: str, room: Room) -> None:
    error = ConflictError(
        "too_many_messages",
        ngettext(
            "You have sent %(count)s message here, the most there may be.",
            "You have sent %(count)s messages here, the most there may be.",
            _MOST_OF_ACCOUNT,
        ),
    )
    count = queries.count_said(place, room, identity.id)
    await check_limit(session, identity.id, count, _MOST_OF_ACCOUNT, error)
