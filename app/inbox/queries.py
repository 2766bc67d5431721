"""Reading the list of an account's notifications."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, func, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.identity.models import Account
from app.inbox.kinds import NewsKind
from app.inbox.models import Notification


@dataclass(frozen=True, slots=True)
class Listed:
    """A notification with the name of the account whose doing it is, if any."""

    id: int
    kind: NewsKind
    subject: str
    actor: str | None
    data: Mapping[str, Any]
    at: datetime
    is_read: bool


async def latest(
    session: AsyncSession, account_id: int, *conditions: ColumnElement[bool], limit: int
) -> list[Listed]:
    """Return an account's notifications that meet some conditions, the newest first."""
    rows = await session.execute(
        select(Notification, Account.username)
        .outerjoin(Account, Account.id == Notification.actor_id)
        .where(Notification.account_id == account_id, *conditions)
        .order_by(Notification.id.desc())
        .limit(limit)
    )
    return [listed(row, actor) for row, actor in rows]


def older_than(notification_id: int | None) -> ColumnElement[bool]:
    """Return the condition that a notification is older than another one; None: any is."""
    return true() if notification_id is None else Notification.id < notification_id


def is_one_of(ids: Sequence[int] | None) -> ColumnElement[bool]:
    """Return the condition that a notification has one of some ids; None: any is."""
    return true() if ids is None else Notification.id.in_(ids)


def is_of_kind(*kinds: NewsKind) -> ColumnElement[bool]:
    """Return the condition that a notification is of one of some kinds."""
    return Notification.kind.in_(kinds)


def is_unread() -> ColumnElement[bool]:
    """Return the condition that a notification has not been read."""
    return Notification.read_at.is_(None)


def is_about(subject: str) -> ColumnElement[bool]:
    """Return the condition that a notification is about a subject, such as a game's id."""
    return Notification.subject == subject


def is_by(account_id: int) -> ColumnElement[bool]:
    """Return the condition that a notification is about what an account did."""
    return Notification.actor_id == account_id


def listed(row: Notification, actor: str | None) -> Listed:
    """Return a row of the table with the name of its actor."""
    return Listed(
        row.id, NewsKind(row.kind), row.subject, actor, row.data, row.created_at, row.read_at is not None
    )


async def count(session: AsyncSession, account_id: int, *conditions: ColumnElement[bool]) -> int:
    """Return how many notifications of an account meet some conditions."""
    query = select(func.count()).where(Notification.account_id == account_id, *conditions)
    return await session.scalar(query) or 0
