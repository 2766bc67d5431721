"""What a channel has to send: claimed by one process at a time, and tried again until it succeeds.

A recipient, which is a mailbox or the devices of an account, gets only so much of a kind, whoever causes it.
What is one too many is held back, and goes out together with what else was held back of its kind, so nothing
is lost. A mailbox may be that of several accounts.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    not_,
    or_,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.session import Database
from app.core.database.statements import DirectStatement
from app.core.database.unreadable import read, readable
from app.core.moments import utc_now
from app.people.inbox.kinds import ABOUT_TURNS, Channel
from app.people.inbox.models import Delivery, Notification, Sending

LEASE = timedelta(minutes=5)
"""How long a process may take to send what it has claimed; after that another one tries."""
_FIRST_RETRY, _LONGEST_RETRY = timedelta(seconds=15), timedelta(hours=1)
_GIVE_UP_AFTER = timedelta(days=2)
_MOST_TOGETHER = 49

_WINDOW: Final = timedelta(hours=1)


def _due(channel: Any) -> Select[int]:
    """Return the query for the deliveries of a channel, or of a parameter, that are due.

    Of those that were held back and go out together, it is the first one that takes the others along.
    """
    is_due = (Delivery.channel == channel, Delivery.due_at <= func.now())
    first = aliased(Delivery)
    is_taken_along = exists().where(first.id < Delivery.id, *_go_together(first, Delivery))
    return select(Delivery.id).where(*is_due, not_(and_(Delivery.is_held, is_taken_along)))


def _go_together(one: Any, other: Any) -> list[ColumnElement[bool]]:
    """Return the conditions that a delivery was held back, and may go out with another one."""
    same = (one.channel == other.channel, one.kind == other.kind, one.account_id == other.account_id)
    # The same address, and the same devices that have it already: those get nothing that goes with it.
    data = (
        one.data[name].astext.is_not_distinct_from(other.data[name].astext) for name in ("address", "taken")
    )
    return [one.is_held, *same, *data]


def has_due(channel: Channel) -> ColumnElement[bool]:
    """Return the condition that a delivery of a channel is due."""
    return _due(channel).exists()


_IS_DUE = DirectStatement(select(_due(bindparam("channel")).exists()))


async def count_due(database: Database, channel: Channel, most: int) -> int:
    """Return how many deliveries are due, at most `most`."""
    if not await _IS_DUE.is_true(database.pool, channel=channel):
        return 0
    async with database.reading_now() as session:
        due = _due(channel).limit(most).subquery()
        return await session.scalar(select(func.count()).select_from(due)) or 0


async def claim(database: Database, channel: Channel, most: int) -> list[Delivery]:
    """Return at most `most` deliveries that are due, which no other process gets until the lease ends.

    Their `due_at` is the end of the lease, and their `attempts` count this one. Those that cannot be read are
    left out, and wait for the end of the lease.
    """
    if not await _IS_DUE.is_true(database.pool, channel=channel):
        return []
    async with database.transaction() as session:
        return await _take(session, _due(channel).order_by(Delivery.due_at).limit(most))


async def gather(session: AsyncSession, claimed: Delivery) -> list[Delivery]:
    """Return the deliveries that were held back, of the same kind and for the same account and address.

    This process sends them together with the one that it has claimed.
    """
    this = aliased(Delivery)
    is_in_no_hand = or_(Delivery.attempts == 0, Delivery.due_at <= func.now())
    is_other = (this.id == claimed.id, Delivery.id != claimed.id, is_in_no_hand)
    held = select(Delivery.id).join(this, and_(*is_other, *_go_together(Delivery, this)))
    return await _take(session, held.order_by(Delivery.id.desc()).limit(_MOST_TOGETHER))


async def hold(database: Database, claimed: Delivery, until: datetime) -> None:
    """Put a delivery off until a moment, at which it is due as if it had not been tried."""
    held = update(Delivery).where(Delivery.id == claimed.id)
    async with database.transaction() as session:
        await session.execute(held.values(due_at=until, attempts=0, is_held=True, first_failed_at=None))


async def _take(session: AsyncSession, deliveries: Select[int]) -> list[Delivery]:
    # As a CTE it is read once. As a subquery it may be read for each row, and lock others each time.
    taken = deliveries.with_for_update(of=Delivery, skip_locked=True).cte()
    rows = await session.scalars(
        update(Delivery)
        .where(Delivery.id.in_(select(taken.c.id)))
        .values(due_at=func.now() + LEASE, attempts=Delivery.attempts + 1)
        .returning(Delivery)
    )
    return readable(_claimed, rows)


def _claimed(delivery: Delivery) -> Delivery:
    """Return a delivery. Raise TypeError if its data have no names."""
    if not isinstance(delivery.data, dict):
        raise TypeError(f"data is {delivery.data!r}.")
    return delivery


def text_in(delivery: Delivery, name: str) -> str:
    """Return a text of the data of a delivery. Raise UnreadableError."""
    return read(Delivery.__tablename__, delivery.id, _text, delivery.data, name)


def _text(data: Mapping[str, Any], name: str) -> str:
    text = data[name]
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r}.")
    return text


async def finish(session: AsyncSession, *claimed: Delivery) -> None:
    """Delete deliveries that were sent, or that nobody needs any more."""
    await session.execute(delete(Delivery).where(Delivery.id.in_([each.id for each in claimed])))


async def try_later(session: AsyncSession, claimed: Delivery) -> None:
    """Make a delivery that failed due again: after 15 s, then twice as long each time, at most an hour.

    It is deleted if it has failed for two days.
    """
    first_failed_at = claimed.first_failed_at or utc_now()
    if utc_now() - first_failed_at > _GIVE_UP_AFTER:
        await finish(session, claimed)
        return
    pause = min(_FIRST_RETRY * 2 ** min(claimed.attempts - 1, 10), _LONGEST_RETRY)
    later = update(Delivery).where(Delivery.id == claimed.id)
    await session.execute(later.values(due_at=func.now() + pause, first_failed_at=first_failed_at))


def was_put_off(delivery: Delivery) -> bool:
    """Return whether a delivery has failed at least once; one that is being sent has not failed by that."""
    is_being_sent = delivery.due_at > utc_now() + _FIRST_RETRY
    return delivery.attempts > 1 or (delivery.attempts == 1 and not is_being_sent)


class OverBudgetError(Exception):
    """A recipient has got enough for now; `until` is when the next one may be sent."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


async def spend(session: AsyncSession, claimed: Delivery, recipient: str, most: int) -> None:
    """Count a delivery: a recipient gets `most` of its kind in an hour, one of each actor until it is read.

    One that is tried again counts once. Raise OverBudgetError; then roll back.
    """
    digest = hashlib.sha256(f"{claimed.channel} {recipient}".encode()).digest()
    await session.execute(select(func.pg_advisory_xact_lock(int.from_bytes(digest[:8], signed=True))))
    if await session.get(Sending, claimed.id):
        return
    actor = select(Notification.actor_id).where(Notification.id == claimed.notification_id)
    actor_id: int | None = await session.scalar(actor)
    is_same = (Sending.recipient == digest, Sending.kind == claimed.kind)
    lately = select(Sending.sent_at).where(*is_same, Sending.sent_at > func.now() - _WINDOW)
    latest = lately.order_by(Sending.sent_at.desc())
    full = await session.scalar(latest.offset(most - 1).limit(1))
    unread = actor_id and await session.scalar(latest.where(*_is_unread(claimed, actor_id)).limit(1))
    since = [moment for moment in (full, unread) if moment]
    if since:
        raise OverBudgetError(max(since) + _WINDOW)
    session.add(
        Sending(
            delivery_id=claimed.id,
            recipient=digest,
            kind=claimed.kind,
            account_id=claimed.account_id,
            actor_id=actor_id,
            notification_id=claimed.notification_id,
        )
    )


def _is_unread(claimed: Delivery, actor_id: int) -> list[ColumnElement[bool]]:
    """Return the conditions of what an account got because of the same actor and does not know yet.

    A turn that is over is known: it was played. Other notifications may be withdrawn by their actors.
    """
    is_same = [Sending.account_id == claimed.account_id, Sending.actor_id == actor_id]
    if claimed.kind in ABOUT_TURNS:
        is_there = exists().where(Notification.id == Sending.notification_id, Notification.read_at.is_(None))
        return [*is_same, is_there]
    return [*is_same, Sending.is_read.is_(False)]


async def note_read(session: AsyncSession, *conditions: ColumnElement[bool]) -> None:
    """Store that their reader knows the notifications that meet some conditions.

    With one, it knows the earlier ones of the same actor and kind, which may be gone.
    """
    is_same = (
        Sending.account_id == Notification.account_id,
        Sending.actor_id == Notification.actor_id,
        Sending.kind == Notification.kind,
    )
    await session.execute(update(Sending).where(*is_same, *conditions).values(is_read=True))
