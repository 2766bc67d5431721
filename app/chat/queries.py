"""What was said beside games, read from the database."""

from datetime import timedelta

from sqlalchemy import Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.chat.models import ChatMessage
from app.chat.rooms import Room
from app.events import ChatSaid
from app.games.models import Game
from app.games.queries import played_by
from app.identity.models import Account
from app.moments import from_datetime

_MOST_SHOWN = 200
_NEW = timedelta(days=1)


async def said(session: AsyncSession, game_id: str, room: Room) -> list[ChatSaid]:
    """Return the last messages of a room, the oldest first."""
    rows = await session.execute(
        select(ChatMessage, Account.username)
        .join(Account, Account.id == ChatMessage.account_id)
        .where(ChatMessage.game_id == game_id, ChatMessage.room == room)
        .order_by(ChatMessage.id.desc())
        .limit(_MOST_SHOWN)
    )
    return [fact(message, username) for message, username in reversed(rows.tuples().all())]


def fact(message: ChatMessage, username: str) -> ChatSaid:
    """Return a message, with its author's name, as it is published."""
    return ChatSaid(
        message.game_id,
        message.room,
        message.id,
        message.account_id,
        username,
        message.text,
        message.greeting,
        from_datetime(message.at),
    )


def count_said(game_id: str, account_id: int) -> Select[int]:
    """Return the query for the number of an account's messages beside a game."""
    is_own = ChatMessage.account_id == account_id
    return select(func.count()).where(ChatMessage.game_id == game_id, is_own)


async def is_new(session: AsyncSession, account_id: int) -> bool:
    """Return whether an account is less than a day old or has not finished a game."""
    is_old = exists().where(Account.id == account_id, Account.created_at <= func.now() - _NEW)
    has_played = exists().where(played_by(account_id), Game.status == "finished")
    return not await session.scalar(select(is_old & has_played))
