"""What was said around a text that was reported, for moderators."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from app.people.identity.models import Account
from app.play.chat.models import ChatMessage
from app.site.messages.models import Message
from app.site.moderation.places import Place

_AROUND = 10  # texts before, and after


@dataclass(frozen=True, slots=True)
class Remark:
    """A text, or the key of a greeting, with its author; `is_reported` marks the one that it is about."""

    username: str
    text: str | None
    greeting: str | None
    at: datetime
    is_reported: bool


@dataclass(frozen=True, slots=True)
class Context:
    """The texts around a reported one, the oldest first, with the game or tournament of a chat."""

    said: Sequence[Remark]
    game_id: str | None = None
    tournament_id: str | None = None


async def around(session: AsyncSession, place: Place) -> Context | None:
    """Return what was said around a line of chat or a message, or None if there is no such text."""
    read = _of_chat if place.kind == "chat" else _of_message
    return await read(session, int(place.name))


async def _of_chat(session: AsyncSession, chat_id: int) -> Context | None:
    line = await session.get(ChatMessage, chat_id)
    if line is None:
        return None
    is_there = (
        ChatMessage.game_id.is_not_distinct_from(line.game_id)
        & ChatMessage.tournament_id.is_not_distinct_from(line.tournament_id)
        & (ChatMessage.room == line.room)
    )
    rows = await _nearest(session, ChatMessage.id, ChatMessage.account_id, chat_id, is_there)
    return Context(
        [Remark(username, row.text, row.greeting, row.at, row.id == chat_id) for row, username in rows],
        line.game_id,
        line.tournament_id,
    )


async def _of_message(session: AsyncSession, message_id: int) -> Context | None:
    message = await session.get(Message, message_id)
    if message is None:
        return None
    both = (message.author_id, message.reader_id)
    is_there = Message.author_id.in_(both) & Message.reader_id.in_(both)
    rows = await _nearest(session, Message.id, Message.author_id, message_id, is_there)
    return Context([Remark(username, row.text, None, row.at, row.id == message_id) for row, username in rows])


async def _nearest(
    session: AsyncSession,
    id_: InstrumentedAttribute[int],
    author: InstrumentedAttribute[int],
    reported: int,
    is_there: ColumnElement[bool],
) -> Sequence[Any]:
    """Return the rows in the same room or thread around one of them, with the names of their authors."""
    before = select(id_).where(is_there, id_ < reported).order_by(id_.desc()).limit(_AROUND)
    after = select(id_).where(is_there, id_ >= reported).order_by(id_).limit(_AROUND + 1)
    rows = await session.execute(
        select(id_.class_, Account.username)
        .join(Account, Account.id == author)
        .where(or_(id_.in_(before), id_.in_(after)))
        .order_by(id_)
    )
    return rows.all()
