"""Testing that mail is sent: one to an account's own address, through the queue of all mail."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import ConflictError
from app.core.i18n.text import _
from app.people.identity import audit
from app.people.identity.audit import Action
from app.people.identity.clients import Client
from app.people.identity.models import SecurityEvent
from app.people.inbox import outbox
from app.people.inbox.kinds import Channel
from app.people.inbox.models import Delivery
from app.people.mail.mailboxes import MailKind
from app.people.mail.service import address_of


class MailOutcome(StrEnum):
    """What became of a test."""

    WAITING = "waiting"
    PUT_OFF = "put_off"
    REFUSED = "refused"
    SENT = "sent"


@dataclass(frozen=True, slots=True)
class MailTest:
    """The last test of an account: when it began, and what became of it."""

    at: datetime
    outcome: MailOutcome


async def send_test(database: Database, account_id: int, by: Client = audit.OPERATOR) -> None:
    """Queue a mail to an account's own address. Raise ConflictError `no_address`, `under_way`."""
    async with database.transaction() as session:
        address = await address_of(session, account_id)
        if address.address is None:
            raise ConflictError(
                "no_address", _("Enter and confirm your e-mail address in your account first.")
            )
        if await _waiting(session, account_id) is not None:
            raise ConflictError(
                "under_way", _("The last test is still waiting to be sent. Try again in a minute.")
            )
        session.add(Delivery(channel=Channel.EMAIL, kind=MailKind.TEST, account_id=account_id))
        audit.record(session, Action.MAIL_TESTED, account_id, by)


async def last_test(session: AsyncSession, account_id: int) -> MailTest | None:
    """Return the last test of an account, or None."""
    is_test = SecurityEvent.account_id == account_id, SecurityEvent.action == Action.MAIL_TESTED
    at = await session.scalar(
        select(SecurityEvent.at).where(*is_test).order_by(SecurityEvent.id.desc()).limit(1)
    )
    if at is None:
        return None
    waiting = await _waiting(session, account_id)
    if waiting is not None:
        return MailTest(at, MailOutcome.PUT_OFF if outbox.was_put_off(waiting) else MailOutcome.WAITING)
    address = await address_of(session, account_id)
    return MailTest(at, MailOutcome.SENT if address.is_deliverable else MailOutcome.REFUSED)


async def _waiting(session: AsyncSession, account_id: int) -> Delivery | None:
    is_test = Delivery.account_id == account_id, Delivery.kind == MailKind.TEST
    waiting: Delivery | None = await session.scalar(select(Delivery).where(*is_test).limit(1))
    return waiting
