"""What was said in rooms, read from the database. A place is the id of a game or a tournament."""

from datetime import timedelta

from sqlalchemy import Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from app.core.database.unreadable import readable
from app.core.moments import from_datetime
from app.people.identity.models import Account
from app.play.chat.models import ChatMessage
from app.play.chat.rooms import GREETINGS, ChatSaid, Room
from app.play.games.models import Game
from app.play.games.queries import played_by

_MOST_SHOWN = 200
_NEW = timedelta(days=1)


async def said(session: AsyncSession, place: str, room: Room) -> list[ChatSaid]:
    """Return the last messages of a room, the oldest first."""
    rows = await session.execute(
        select(ChatMessage, Account.username)
        .join(Account, Account.id == ChatMessage.account_id)
        .where(column_of(room) == place, ChatMessage.room == room)
        .order_by(ChatMessage.id.desc())
        .limit(_MOST_SHOWN)
    )
    return readable(_shown, reversed(rows.all()))


def _shown(message: ChatMessage, username: str) -> ChatSaid:
    if message.greeting is not None and message.greeting not in GREETINGS:
        raise ValueError(f"There is no greeting {message.greeting!r}.")
    return fact(message, username)


def fact(message: ChatMessage, username: str) -> ChatSaid:
    """Return a message, with its author's name, as it is published."""
    return ChatSaid(
        message.game_id or message.tournament_id or "",
        message.room,
        message.id,
        message.account_id,
        username,
        message.text,
        message.greeting,
        from_datetime(message.at),
    )


def column_of(room: Room) -> InstrumentedAttribute[str | None]:
    """Return the column with the place of a room."""
    return ChatMessage.tournament_id if room is Room.TOURNAMENT else ChatMessage.game_id


def count_said(place: str, room: Room, account_id: int) -> Select[int]:
    """Return the query for the number of an account's messages at a place."""
    is_own = ChatMessage.account_id == account_id
    return select(func.count()).where(column_of(room) == place, is_own)


async def is_new(session: AsyncSession, account_id: int) -> bool:
    """Return whether an account is less than a day old or has not finished a game."""
    is_old = exists().where(Account.id == account_id, Account.created_at <= func.now() - _NEW)
    has_played = exists().where(played_by(account_id), Game.status == "finished")
    return not await session.scalar(select(is_old & has_played))
