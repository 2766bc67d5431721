"""Reading the list of an account's notifications, for its pages and for what is sent: what is still true."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Row, case, func, literal_column, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import readable
from app.people.identity.models import Account
from app.people.inbox.kinds import Listed, NewsKind, kinds
from app.people.inbox.models import Notification


async def latest(
    session: AsyncSession, account_id: int, *conditions: ColumnElement[bool], limit: int
) -> list[Listed]:
    """Return an account's notifications that meet some conditions, the newest first."""
    return readable(listed, await _latest(session, account_id, conditions, limit))


async def page(
    session: AsyncSession, account_id: int, before: int | None, limit: int
) -> tuple[list[Listed], int | None]:
    """Return at most `limit` notifications that are older than the one with an id, the newest first.

    Return also the id that the next part begins after, or None if this is the last.
    """
    rows = await _latest(session, account_id, [older_than(before)], limit + 1)
    return readable(listed, rows[:limit]), rows[limit - 1][0].id if len(rows) > limit else None


async def _latest(
    session: AsyncSession, account_id: int, conditions: Sequence[ColumnElement[bool]], limit: int
) -> Sequence[Row[Notification, str]]:
    rows = await session.execute(
        select(Notification, Account.username)
        .outerjoin(Account, Account.id == Notification.actor_id)
        .where(Notification.account_id == account_id, is_still_true(), *conditions)
        .order_by(Notification.id.desc())
        .limit(limit)
    )
    return rows.all()


def older_than(notification_id: int | None) -> ColumnElement[bool]:
    """Return the condition that a notification is older than another one; None: any is."""
    return true() if notification_id is None else Notification.id < notification_id


def is_one_of(ids: Sequence[int] | None) -> ColumnElement[bool]:
    """Return the condition that a notification has one of some ids; None: any is."""
    return true() if ids is None else Notification.id.in_(ids)


def is_up_to(notification_id: int | None) -> ColumnElement[bool]:
    """Return the condition that a notification is no newer than the one with an id; None: any is."""
    return true() if notification_id is None else Notification.id <= notification_id


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
    """Return a row of the table with the name of its actor. Raise an exception if it has no wording."""
    item = Listed(
        row.id, NewsKind(row.kind), row.subject, actor, row.data, row.created_at, row.read_at is not None
    )
    for name in ("text", "detail", "path", "when"):
        getattr(item, name)
    return item


async def count(session: AsyncSession, account_id: int, *conditions: ColumnElement[bool]) -> int:
    """Return how many notifications of an account meet some conditions."""
    query = select(func.count()).where(Notification.account_id == account_id, is_still_true(), *conditions)
    return await session.scalar(query) or 0


def is_still_true() -> ColumnElement[bool]:
    """Return the condition that what a notification says is still true."""
    conditions = {name: kind.still_true for name, kind in kinds().items() if kind.still_true}
    cases: dict[NewsKind, ColumnElement[bool]] = {
        name: literal_column(f"EXISTS ({query})") for name, query in conditions.items()
    }
    return case(cases, value=Notification.kind, else_=True).is_(True)
