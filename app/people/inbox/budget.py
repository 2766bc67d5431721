"""How much a channel sends to one recipient, whoever causes it.

What is one too many is held back, and goes out together with what else was held back of its kind, so nothing
is lost. A recipient is a mailbox or the devices of an account, and may be that of several accounts.
"""

import hashlib
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.people.inbox.kinds import ABOUT_TURNS
from app.people.inbox.models import Notification, Sending
from app.people.inbox.outbox import Claimed

_WINDOW: Final = timedelta(hours=1)


class OverBudgetError(Exception):
    """A recipient has got enough for now; `until` is when the next one may be sent."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


async def spend(session: AsyncSession, claimed: Claimed, recipient: str, most: int) -> None:
    """Count a delivery: a recipient gets `most` of its kind in an hour, one of each actor until it is read.

    One that is tried again counts once. Raise OverBudgetError; then roll back.
    """
    digest = hashlib.sha256(f"{claimed.channel} {recipient}".encode()).digest()
    await session.execute(select(func.pg_advisory_xact_lock(int.from_bytes(digest[:8], signed=True))))
    if await session.get(Sending, claimed.id):
        return
    actor_id = await _actor_of(session, claimed)
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


async def _actor_of(session: AsyncSession, claimed: Claimed) -> int | None:
    query = select(Notification.actor_id).where(Notification.id == claimed.notification_id)
    return await session.scalar(query)


def _is_unread(claimed: Claimed, actor_id: int) -> list[ColumnElement[bool]]:
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
