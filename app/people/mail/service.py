"""The e-mail addresses of accounts, and what their owners do by the links of mails."""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import DateTime, delete, exists, func, literal, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database, reads_now
from app.core.errors import found
from app.core.i18n.languages import current
from app.core.realtime.bus import Bus
from app.people.identity.audit import Change
from app.people.identity.clients import Client
from app.people.identity.locking import lock_account
from app.people.identity.models import Account
from app.people.identity.service import new_token
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import Channel, NewsKind, Switch, kinds_of
from app.people.inbox.models import Delivery, Notification, NotificationChannel
from app.people.inbox.service import set_active, set_switches
from app.people.mail import links, notices
from app.people.mail.links import Purpose
from app.people.mail.mailboxes import MailKind
from app.people.mail.models import AddressUndo, EmailAddress, MailLink

_A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Address:
    """The confirmed address of an account, and one that waits to be confirmed."""

    address: str | None = None
    unconfirmed: str | None = None
    is_deliverable: bool = True


async def address_of(session: AsyncSession, account_id: int) -> Address:
    """Return the address of an account."""
    row = await session.get(EmailAddress, account_id)
    if row is None:
        return Address()
    return Address(row.address, row.unconfirmed, is_deliverable=row.undeliverable_at is None)


async def propose(session: AsyncSession, account_id: int, address: str) -> None:
    """Send a link to an address, which becomes the account's when its reader confirms it."""
    proposed = insert(EmailAddress).values(
        account_id=account_id, unconfirmed=address, language=current(), unsubscribe_key=new_token()
    )
    await session.execute(
        proposed.on_conflict_do_update(
            index_elements=[EmailAddress.account_id],
            set_={"unconfirmed": proposed.excluded.unconfirmed, "language": proposed.excluded.language},
        )
    )
    session.add(Delivery(channel=Channel.EMAIL, kind=MailKind.CONFIRM, account_id=account_id))


async def ask_for_reset(session: AsyncSession, address: str) -> None:
    """Send links to choose a new password to an address, if it is one of an account.

    Only who sends the mail looks that up: asking takes the same time for all addresses.
    """
    session.add(Delivery(channel=Channel.EMAIL, kind=MailKind.RESET, data={"address": address}))


async def tell_closed(session: AsyncSession, account_id: int, reason: str) -> None:
    """Send the owner of an account that a moderator closed the reason, and a link to answer it."""
    has_address = exists().where(EmailAddress.account_id == account_id, EmailAddress.address.is_not(None))
    if await session.scalar(select(has_address)):
        data = {"reason": reason}
        session.add(Delivery(channel=Channel.EMAIL, kind=MailKind.CLOSED, account_id=account_id, data=data))


async def remove(session: AsyncSession, account_id: int) -> bool:
    """Delete the address of an account, with all links that were sent to it but the one that undoes this.

    Return whether it had one, or one that was to be confirmed.
    """
    removed = delete(EmailAddress).where(EmailAddress.account_id == account_id)
    was_there = await session.scalar(removed.returning(EmailAddress.account_id)) is not None
    await session.execute(delete(MailLink).where(MailLink.account_id == account_id))
    await set_active(session, account_id, Channel.EMAIL, is_active=False)
    return was_there


async def restore(session: AsyncSession, undo: AddressUndo) -> None:
    """Make an address that an account had before its confirmed one again."""
    restored = {"address": undo.address, "unconfirmed": None, "undeliverable_at": None}
    row = insert(EmailAddress).values(
        account_id=undo.account_id, language=undo.language, unsubscribe_key=new_token(), **restored
    )
    await session.execute(row.on_conflict_do_update(index_elements=[EmailAddress.account_id], set_=restored))
    await links.revoke(session, undo.account_id, Purpose.CONFIRM)
    await set_active(session, undo.account_id, Channel.EMAIL, is_active=True)


class Mail:
    """What people do who follow the links of mails."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    address = reads_now(address_of)

    async def owner_of_link(self, token: str, purpose: Purpose) -> str:
        """Return the username of the account that a link was sent to. Raise BadLinkError."""
        async with self._database.reading_now() as session:
            account = await session.get_one(Account, await links.owner_of(session, token, purpose))
            return account.username

    async def confirm(self, token: str, client: Client) -> None:
        """Make the address that a link was sent to the one of its account. Raise BadLinkError."""
        async with self._database.transaction() as session:
            account_id = await links.owner_of(session, token, Purpose.CONFIRM)
            await lock_account(session, account_id)
            address = await links.use(session, token, Purpose.CONFIRM)
            email = await session.get(EmailAddress, account_id, with_for_update=True)
            if email is None or email.unconfirmed != address:
                raise links.BadLinkError
            if email.address != address:
                await notices.record(session, Change.EMAIL_CONFIRMED, account_id, client)
            email.address, email.unconfirmed, email.undeliverable_at = address, None, None
            await links.revoke(session, account_id, Purpose.RESET)  # to the address before
            await set_active(session, account_id, Channel.EMAIL, is_active=True)
        self._bus.publish(InboxChanged((account_id,)))

    async def unsubscribe(self, key: str, kind: NewsKind | None) -> None:
        """Turn off mails of a kind, or of all kinds (None), to the owner of a key. Raise NotFoundError."""
        kinds = [kind] if kind else list(kinds_of(Channel.EMAIL))
        async with self._database.transaction() as session:
            account_id = found(
                await session.scalar(
                    select(EmailAddress.account_id).where(EmailAddress.unsubscribe_key == key)
                ),
                "page",
            )
            await set_switches(session, account_id, Channel.EMAIL, dict.fromkeys(kinds, Switch.OFF))

    async def delete_old_links(self) -> None:
        """Delete the links that have expired, and the addresses before that were kept for them."""
        await delete_in_parts(self._database, MailLink, MailLink.expires_at <= func.now())
        await delete_in_parts(self._database, AddressUndo, AddressUndo.expires_at <= func.now())


async def queue_digests(database: Database) -> None:
    """Queue a digest for each account that wants one now and has a turn to play."""
    of_channel = NotificationChannel
    # By whole days, so that digests keep their time of day.
    latest = func.date_bin(_A_DAY, func.now(), of_channel.digest_at, type_=DateTime)
    due = (
        update(of_channel)
        .where(of_channel.digest_at <= func.now())
        .values(digest_at=latest + _A_DAY)
        .returning(of_channel.account_id, of_channel.channel, of_channel.is_active)
        .cte("due")
    )
    has_turn = exists().where(
        Notification.account_id == due.c.account_id, Notification.kind == NewsKind.MY_TURN
    )
    is_waiting = exists().where(Delivery.account_id == due.c.account_id, Delivery.kind == MailKind.DIGEST)
    wanted = select(due.c.channel, literal(MailKind.DIGEST), due.c.account_id).where(
        due.c.is_active, has_turn, ~is_waiting
    )
    async with database.transaction() as session:
        await session.execute(insert(Delivery).from_select(["channel", "kind", "account_id"], wanted))
