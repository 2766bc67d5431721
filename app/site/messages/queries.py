"""Messages between players, read from the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import ConfigDict, with_config
from sqlalchemy import ColumnElement, Select, func, or_, select, true
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.web.shown import Username, example
from app.people.identity.models import Account
from app.people.social.queries import hidden_authors
from app.site.messages.models import MessageThread, PrivateMessage

PAGE = 50
"""The most messages that are shown, or told of, at once."""

MOST_THREADS = 200
"""The most threads that are listed at once."""

_DAY = timedelta(days=1)

_other, _author = aliased(Account), aliased(Account)


@with_config(ConfigDict(extra="ignore"))  # also in events, which have no other members
@dataclass(frozen=True, slots=True)
class MessageShown:
    """A message; `username` is its author's."""

    id: int
    username: Username
    text: Annotated[str, example("Another game?")]
    at: datetime


@dataclass(frozen=True, slots=True)
class ThreadShown:
    """The messages exchanged with a player: the last one, and how many are unread."""

    username: Username
    last: MessageShown
    unread: int


@dataclass(frozen=True, slots=True)
class ThreadList:
    """The threads of an account, the latest first; `next` is the `before` of older ones, or null."""

    threads: list[ThreadShown]
    next: int | None


async def threads(
    session: AsyncSession, account_id: int, before: int | None = None, limit: int = MOST_THREADS
) -> ThreadList:
    """Return an account's threads, the latest first, without those of players who are hidden from it.

    They are those whose last message has a smaller id than `before`; None: the first page.
    """
    is_wanted = true() if before is None else MessageThread.last_id < before
    rows = await session.execute(
        select(MessageThread, PrivateMessage, _other.username, _author.username)
        .join(PrivateMessage, PrivateMessage.id == MessageThread.last_id)
        .join(_other, _other.id == MessageThread.other_id)
        .join(_author, _author.id == PrivateMessage.author_id)
        .where(MessageThread.account_id == account_id, is_wanted, *await _heard(session, account_id))
        .order_by(MessageThread.last_id.desc())
        .limit(limit + 1)
    )
    found = [
        ThreadShown(username, MessageShown(last.id, author_name, last.text, last.at), thread.unread)
        for thread, last, username, author_name in rows
    ]
    shown = found[:limit]
    return ThreadList(shown, shown[-1].last.id if len(found) > limit else None)


async def unread(session: AsyncSession, account_id: int) -> int:
    """Return the number of an account's threads with unread messages."""
    query = select(func.count()).where(
        MessageThread.account_id == account_id, MessageThread.unread > 0, *await _heard(session, account_id)
    )
    return await session.scalar(query) or 0


async def count_after(session: AsyncSession, account_id: int, other_id: int, message_id: int) -> int:
    """Return the number of messages from another account that are later than one with an id."""
    query = select(func.count()).where(
        PrivateMessage.author_id == other_id,
        PrivateMessage.reader_id == account_id,
        PrivateMessage.id > message_id,
    )
    return await session.scalar(query) or 0


async def letters(
    session: AsyncSession, account_id: int, other_id: int, before: int | None, limit: int
) -> list[MessageShown]:
    """Return the last messages of a thread before a message, the oldest first.

    Those of a player who is hidden from the account are left out.
    """
    between = [(PrivateMessage.author_id == account_id) & (PrivateMessage.reader_id == other_id)]
    if other_id not in await hidden_authors(session, account_id):
        between.append((PrivateMessage.author_id == other_id) & (PrivateMessage.reader_id == account_id))
    query = (
        select(PrivateMessage, Account.username)
        .join(Account, Account.id == PrivateMessage.author_id)
        .where(or_(*between))
        .order_by(PrivateMessage.id.desc())
        .limit(limit)
    )
    rows = await session.execute(query if before is None else query.where(PrivateMessage.id < before))
    return _earliest_first(rows.all())


async def unread_letters(session: AsyncSession, account_id: int) -> list[MessageShown]:
    """Return the last messages to an account that it has not read, the oldest first.

    Those of players who are hidden from the account are left out.
    """
    of_thread = (
        select(PrivateMessage)
        .where(PrivateMessage.author_id == MessageThread.other_id, PrivateMessage.reader_id == account_id)
        .order_by(PrivateMessage.id.desc())
        .limit(MessageThread.unread)
        .correlate(MessageThread)
        .lateral()
    )
    message = aliased(PrivateMessage, of_thread)
    rows = await session.execute(
        select(message, Account.username)
        .select_from(MessageThread)
        .join(message, true())
        .join(Account, Account.id == message.author_id)
        .where(MessageThread.account_id == account_id, *await _heard(session, account_id))
        .order_by(message.id.desc())
        .limit(PAGE)
    )
    return _earliest_first(rows.all())


def _earliest_first(rows: Sequence[Any]) -> list[MessageShown]:
    return [MessageShown(letter.id, author, letter.text, letter.at) for letter, author in reversed(rows)]


def count_begun_today(account_id: int) -> Select[int]:
    """Return the query for the number of threads that an account has begun within a day."""
    return select(func.count()).where(
        MessageThread.account_id == account_id,
        MessageThread.is_own,
        MessageThread.begun_at > func.now() - _DAY,
    )


async def _heard(session: AsyncSession, account_id: int) -> list[ColumnElement[bool]]:
    hidden = await hidden_authors(session, account_id)
    return [MessageThread.other_id.not_in(hidden)] if hidden else []
