"""The commands of messages: writing, reading, marking as read."""

from dataclasses import dataclass, replace

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, reads_now
from app.core.errors import ForbiddenError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.core.web.shown import Hidden
from app.people.identity.locking import Most
from app.people.identity.models import Account
from app.people.identity.names import other_player
from app.people.identity.sanctions import check_not_muted
from app.people.identity.service import Identity, check_registered
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify, withdraw_of
from app.people.social.queries import blocked_between, hidden_authors, relations_to
from app.people.social.relations import Relation
from app.play.chat.service import is_new
from app.site.messages import queries
from app.site.messages.events import MessageSent, MessagesRead
from app.site.messages.models import MessageThread, PrivateMessage
from app.site.messages.queries import MessageShown

_MOST_BEGUN = Most(
    20,
    "too_many_threads",
    "You have written to %(count)s new player today. Go on tomorrow.",
    "You have written to %(count)s new players today. Go on tomorrow.",
)
_MOST_BEGUN_BY_NEW = replace(_MOST_BEGUN, number=3)  # by an account that is new or has not finished a game


@dataclass(frozen=True, slots=True)
class MessageList:
    """A page of a thread, the oldest message first; `before` asks for the page before it."""

    username: Hidden[str]
    messages: list[MessageShown]
    before: int | None
    may_write: Hidden[bool]  # the reader, to the other player, now


class Messages:
    """The messages between the players of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    threads = reads_now(queries.threads)
    unread = reads_now(queries.unread)
    waiting = reads_now(queries.unread_letters)

    async def write(self, identity: Identity, username: str, text: str) -> MessageShown:
        """Send a message to a player.

        Raise NotFoundError, InvalidError `yourself`, NeedsAccountError, ForbiddenError `muted`,
        `messages_refused` unless both players allow it, ConflictError `too_many_threads`.
        """
        check_registered(identity, _("Register or log in to write messages."))
        async with self._database.transaction() as session:
            other = await other_player(session, username, identity.id)
            await check_not_muted(session, identity.id)
            if not await _may_write(session, identity, other):
                raise ForbiddenError(
                    "messages_refused",
                    _("You cannot write to this player: one of you does not accept messages from the other."),
                )
            if await session.get(MessageThread, (identity.id, other.id)) is None:
                await _check_begun(session, identity)
            message = PrivateMessage(author_id=identity.id, reader_id=other.id, text=text)
            session.add(message)
            await session.flush()
            await session.refresh(message)
            await _note(session, message)
            if identity.id not in await hidden_authors(session, other.id):
                news = News(other.id, NewsKind.MESSAGE, str(identity.id), identity.id)
                await notify(session, news)
        self._bus.publish(MessageSent(message.id, identity.id, other.id))
        return MessageShown(message.id, identity.username, message.text, message.at)

    async def thread(self, identity: Identity, username: str, before: int | None = None) -> MessageList:
        """Return the last messages exchanged with a player. Raise NotFoundError, InvalidError `yourself`."""
        async with self._database.reading_now() as session:
            other = await other_player(session, username, identity.id)
            letters = await queries.letters(session, identity.id, other.id, before, queries.PAGE + 1)
            may_write = not identity.is_guest and await _may_write(session, identity, other)
        shown = letters[-queries.PAGE :]
        older = shown[0].id if len(letters) > queries.PAGE else None
        return MessageList(other.username, shown, older, may_write)

    async def visible(self, account_id: int, message_id: int) -> MessageShown | None:
        """Return a message to an account, or None if its author is hidden from the account."""
        async with self._database.reading_now() as session:
            message = await session.get(PrivateMessage, message_id)
            if message is None or message.reader_id != account_id:
                return None
            last = await queries.letters(session, account_id, message.author_id, message_id + 1, 1)
        return last[0] if last and last[0].id == message_id else None

    async def mark_read(self, identity: Identity, username: str, until: int | None) -> None:
        """Mark the messages of a player as read, up to the one with an id; None: all of them.

        Raise NotFoundError, InvalidError `yourself`.
        """
        async with self._database.transaction() as session:
            other = await other_player(session, username, identity.id)
            thread = await session.get(MessageThread, (identity.id, other.id), with_for_update=True)
            if thread is None or not thread.unread:
                return
            newer = 0 if until is None else await queries.count_after(session, identity.id, other.id, until)
            if newer >= thread.unread:
                return
            thread.unread = newer
            if not newer:
                await withdraw_of(session, other.id, identity.id, NewsKind.MESSAGE)
        self._bus.publish(MessagesRead(identity.id, other.username, until))


async def _may_write(session: AsyncSession, identity: Identity, other: Account) -> bool:
    if other.is_guest or other.closed_at is not None or other.computer_level is not None:
        return False
    if await blocked_between(session, identity.id, other.id):
        return False
    choices = ((identity.id, identity.preferences, other.id), (other.id, other.preferences, identity.id))
    for account_id, preferences, partner_id in choices:
        choice = preferences.get("messages", "everybody")
        if choice == "nobody":
            return False
        if choice == "following" and Relation.FOLLOW not in await relations_to(
            session, account_id, partner_id
        ):
            return False
    return True


async def _check_begun(session: AsyncSession, identity: Identity) -> None:
    most = _MOST_BEGUN_BY_NEW if await is_new(session, identity.id) else _MOST_BEGUN
    await most.check(session, identity.id, queries.count_begun_today(identity.id))


async def _note(session: AsyncSession, message: PrivateMessage) -> None:
    """Note a message as the last one in the threads of both players; it is unread in the reader's."""
    own = {"account_id": message.author_id, "other_id": message.reader_id, "unread": 0, "is_own": True}
    received = {"account_id": message.reader_id, "other_id": message.author_id, "unread": 1, "is_own": False}
    # In one order for both players, so that they can write to each other at the same time.
    for row in sorted((own, received), key=lambda row: row["account_id"]):
        statement = insert(MessageThread).values(**row, last_id=message.id)
        latest = func.greatest(MessageThread.last_id, message.id)  # of two that cross, either may come first
        changed = {"last_id": latest, "unread": MessageThread.unread + row["unread"]}
        await session.execute(
            statement.on_conflict_do_update(index_elements=["account_id", "other_id"], set_=changed)
        )
