"""Notifying accounts, and what they do with their notifications.

`notify` adds a line to the list of an account, and whatever channels carry it. Every feature calls it in the
transaction that the notification is about.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, case, delete, func, literal, select, update
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import json
from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database
from app.core.database.statements import Connection
from app.core.errors import InvalidError
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.people.identity.service import Identity
from app.people.inbox import outbox, queries
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import (
    ABOUT_TURNS,
    DIGESTS,
    Channel,
    Listed,
    NewsKind,
    Switch,
    choices,
    kinds,
    kinds_of,
)
from app.people.inbox.models import Delivery, Notification, NotificationChannel, Sending

_A_DAY = timedelta(days=1)

Switches = Mapping[Channel, Mapping[NewsKind, Switch]]

MOST = 200
"""How many notifications an account keeps."""

KEPT_FOR = timedelta(days=30)
"""How long notifications are kept."""


@dataclass(frozen=True, slots=True)
class News:
    """A notification to an account about a subject, such as a game's id; `actor_id` is who did it.

    It is None for what the clock, the server or a moderator does; what a player's command causes has an
    actor, of whom a recipient gets only so much. It replaces the one of the same kind about the same subject.
    `data` is what its text needs.
    """

    account_id: int
    kind: NewsKind
    subject: str
    actor_id: int | None
    data: Mapping[str, Any] = field(default_factory=dict)


async def notify(session: AsyncSession, *news: News) -> None:
    """Add notifications, and whatever the accounts have chosen to get of them by mail and the like.

    After the commit publish `InboxChanged` unless another event of the accounts' topics is published anyway.
    """
    await session.execute(select(func.add_notifications(literal(_rows(news), JSONB))))


async def notify_on(connection: Connection, news: Sequence[News]) -> None:
    """Do what `notify` does, on a plain connection."""
    await connection.execute("SELECT add_notifications($1)", json.encode(_rows(news)).decode())


async def withdraw(session: AsyncSession, subject: str, account_ids: Iterable[int], *kinds: NewsKind) -> None:
    """Delete the accounts' notifications of some kinds about a subject, because they no longer matter."""
    has = Notification.account_id.in_(account_ids)
    await withdraw_if(session, has, queries.is_of_kind(*kinds), queries.is_about(subject))


async def withdraw_if(session: AsyncSession, *conditions: ColumnElement[bool]) -> None:
    """Delete the notifications that meet some conditions, whoever has them."""
    await session.execute(delete(Notification).where(*conditions))


async def withdraw_of(session: AsyncSession, actor_id: int, account_id: int, *kinds: NewsKind) -> None:
    """Delete an account's notifications of some kinds about what another account did: it knows them."""
    them = (Notification.account_id == account_id, queries.is_by(actor_id), queries.is_of_kind(*kinds))
    await outbox.note_read(session, *them)
    await withdraw_if(session, *them)


@dataclass(frozen=True, slots=True)
class NotificationPage:
    """A part of a list of notifications, the newest first.

    `unread` counts all of the list; the next part begins after the id `older`, or None if this is the last.
    """

    notifications: Sequence[Listed]
    unread: int
    older: int | None


class Inbox:
    """The notifications of accounts."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    async def page(self, identity: Identity, *, limit: int, before: int | None = None) -> NotificationPage:
        """Return at most `limit` notifications of an account that are older than the one with an id."""
        async with self._database.reading_now() as session:
            news, older = await queries.page(session, identity.id, before, limit)
            unread = await queries.count(session, identity.id, queries.is_unread())
        return NotificationPage(news, unread, older)

    async def unread(self, account_id: int, *conditions: ColumnElement[bool], limit: int) -> list[Listed]:
        """Return what an account has not read of the notifications that meet conditions, the newest first."""
        async with self._database.reading_now() as session:
            return await queries.latest(session, account_id, queries.is_unread(), *conditions, limit=limit)

    async def read(self, identity: Identity, *conditions: ColumnElement[bool]) -> int:
        """Mark notifications of an account that meet some conditions as read; return how many are unread.

        One that is being replaced by a newer one at this moment is left out.
        """
        unread = (
            select(Notification.id)
            .where(Notification.account_id == identity.id, Notification.read_at.is_(None), *conditions)
            .with_for_update(skip_locked=True)
        )
        async with self._database.transaction() as session:
            marked = await session.scalars(
                update(Notification)
                .where(Notification.id.in_(unread))
                .values(read_at=func.now())
                .returning(Notification.id)
            )
            ids = marked.all()
            if ids:
                await outbox.note_read(session, Notification.id.in_(ids))
            left = await queries.count(session, identity.id, queries.is_unread())
        if ids:
            self._bus.publish(InboxChanged((identity.id,)))
        return left

    async def switches(self, identity: Identity) -> Switches:
        """Return the positions of all switches of an account."""
        async with self._database.reading_now() as session:
            rows = await session.scalars(
                select(NotificationChannel).where(NotificationChannel.account_id == identity.id)
            )
            stored = {row.channel: row.switches for row in rows}
        return {
            channel: {
                kind: Switch(stored.get(channel, {}).get(kind, Switch.ON)) for kind in kinds_of(channel)
            }
            for channel in Channel
        }

    async def set_switches(self, identity: Identity, switches: Switches) -> None:
        """Set switches of an account; the others stay as they are. Raise InvalidError `bad_switch`."""
        for channel, positions in switches.items():
            for kind, position in positions.items():
                if kind not in kinds_of(channel) or position not in choices(channel, kind):
                    raise InvalidError("bad_switch", _("Choose one of the options."))
        async with self._database.transaction() as session:
            for channel, positions in switches.items():
                await set_switches(session, identity.id, channel, positions)


async def set_switches(
    session: AsyncSession, account_id: int, channel: Channel, positions: Mapping[NewsKind, Switch]
) -> None:
    """Set switches of a channel of an account; the others stay as they are.

    Digests come at the time of day at which they were chosen, however often they are chosen again.
    """
    changed = insert(NotificationChannel).values(
        account_id=account_id,
        channel=channel,
        switches=dict(positions),
        digest_at=func.now() + _A_DAY if Switch.DAILY in positions.values() else None,
    )
    changes: dict[Any, Any] = {
        NotificationChannel.switches: NotificationChannel.switches.op("||")(changed.excluded.switches)
    }
    if any((channel, kind) in DIGESTS for kind in positions):
        changes[NotificationChannel.digest_at] = case(
            (changed.excluded.digest_at.is_(None), None),
            else_=func.coalesce(NotificationChannel.digest_at, changed.excluded.digest_at),
        )
    await session.execute(
        changed.on_conflict_do_update(
            index_elements=[NotificationChannel.account_id, NotificationChannel.channel], set_=changes
        )
    )
    not_on = [kind for kind, position in positions.items() if position != Switch.ON]
    await session.execute(
        delete(Delivery).where(
            Delivery.account_id == account_id, Delivery.channel == channel, Delivery.kind.in_(not_on)
        )
    )


async def set_active(session: AsyncSession, account_id: int, channel: Channel, *, is_active: bool) -> None:
    """Store whether a channel can reach an account."""
    changed = insert(NotificationChannel).values(account_id=account_id, channel=channel, is_active=is_active)
    await session.execute(
        changed.on_conflict_do_update(
            index_elements=[NotificationChannel.account_id, NotificationChannel.channel],
            set_={NotificationChannel.is_active: changed.excluded.is_active},
        )
    )


def _rows(news: Sequence[News]) -> list[dict[str, Any]]:
    """Return notifications as `add_notifications` takes them."""
    return [
        {
            "account_id": item.account_id,
            "kind": item.kind,
            "subject": item.subject,
            "actor_id": item.actor_id,
            "data": item.data,
            "delays": {
                str(channel): carriage.after.total_seconds()
                for channel, carriage in kinds()[item.kind].sent.by.items()
            },
        }
        for item in news
    ]


async def delete_old_sendings(database: Database) -> None:
    """Delete what was sent before the time that counts, and is tried again no more."""
    await delete_in_parts(database, Sending, Sending.sent_at < func.now() - timedelta(days=3))


async def delete_old_notifications(database: Database) -> None:
    """Delete notifications older than `KEPT_FOR`, and all but the latest `MOST` of each account.

    Those of turns stay as long as the turns: reminders and digests are made from them.
    """
    goes = ~queries.is_of_kind(*ABOUT_TURNS)
    is_old = Notification.created_at < func.now() - KEPT_FOR
    place = func.row_number().over(partition_by=Notification.account_id, order_by=Notification.id.desc())
    placed = select(Notification.id, place.label("place")).where(goes).subquery()
    is_beyond = Notification.id.in_(select(placed.c.id).where(placed.c.place > MOST))
    await delete_in_parts(database, Notification, goes, is_old)
    await delete_in_parts(database, Notification, is_beyond)
