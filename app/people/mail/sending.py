"""Sending mail by SMTP."""

import asyncio
from email.message import EmailMessage

import structlog
from aiosmtplib import SMTP, SMTPException, SMTPRecipientsRefused, SMTPResponseException
from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError
from app.core.settings import Settings
from app.people.inbox import outbox
from app.people.inbox.kinds import Channel
from app.people.inbox.models import Delivery
from app.people.inbox.outbox import OverBudgetError
from app.people.inbox.service import set_active
from app.people.mail.mailboxes import checked, mailbox_of, most_an_hour
from app.people.mail.messages import MessageMaker
from app.people.mail.models import EmailAddress

log = structlog.get_logger()

_TIMEOUT = 20.0  # seconds for each answer of the mail server
_CONNECTIONS = 4


def connection(settings: Settings) -> SMTP:
    """Return a connection to the mail server of the settings, which is not open yet."""
    return SMTP(
        hostname=settings.mail_host,
        port=settings.mail_port,
        username=settings.mail_user,
        password=settings.mail_password.get_secret_value() if settings.mail_password else None,
        use_tls=settings.mail_tls == "tls",
        start_tls=settings.mail_tls == "starttls",
        timeout=_TIMEOUT,
    )


class _BrokenError(Exception):
    """The connection broke at a mail, which is tried later; others can be sent over another connection."""


class Mailer:
    """Sends what is due. Any number of processes may do so at a time."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings = settings
        self._database = database
        self._messages = MessageMaker(settings)
        self._is_refused = False

    async def send_due(self) -> None:
        """Send everything that is due; a mail that cannot be sent now is tried again later.

        Each connection claims one mail at a time, so one at which the mail server hangs puts off no other.
        """
        due = await outbox.count_due(self._database, Channel.EMAIL, _CONNECTIONS)
        async with asyncio.TaskGroup() as group:
            for _ in range(due):
                group.create_task(self._send_some())

    async def _send_some(self) -> None:
        """Send mails over one connection until none is due, or over the next one if it breaks."""
        while await outbox.count_due(self._database, Channel.EMAIL, 1):
            try:
                async with connection(self._settings) as smtp:
                    self._is_refused = False
                    while claimed := await outbox.claim(self._database, Channel.EMAIL, 1):
                        await self._send_or_log(smtp, claimed[0])
            except _BrokenError:
                continue
            except (SMTPException, OSError) as error:
                if not self._is_refused:
                    log.warning("mail_server_failed", error=_reason(error))
                self._is_refused = True
                return

    async def _send_or_log(self, smtp: SMTP, claimed: Delivery) -> None:
        """Send one message; what concerns only this one must not hold up the others. Raise _BrokenError."""
        try:
            await self._send(smtp, claimed)
        except UnreadableError:  # which trying again would not change
            async with self._database.transaction() as session:
                await outbox.finish(session, claimed)
        except Exception as error:
            async with self._database.transaction() as session:
                await outbox.try_later(session, claimed)
            if isinstance(error, (SMTPException, OSError)):
                log.warning("mail_put_off", kind=claimed.kind, reason=_reason(error))
                raise _BrokenError from error
            log.exception("mail_failed", kind=claimed.kind, account=claimed.account_id)

    async def _send(self, smtp: SMTP, claimed: Delivery) -> None:
        """Send one message. Raise SMTPException or OSError if the connection can send no others."""
        try:
            async with self._database.transaction() as session:
                held = await outbox.gather(session, claimed)
                message = await self._messages.message(session, claimed, held)
                if message is not None:
                    most = most_an_hour(claimed.kind)
                    await outbox.spend(session, claimed, mailbox_of(message["To"]), most)
        except OverBudgetError as error:  # and the links of the message are not stored
            await outbox.hold(self._database, claimed, error.until)
            until = error.until.isoformat()
            log.info("mail_held", kind=claimed.kind, account=claimed.account_id, until=until)
            return
        refusal = None if message is None else await _refusal(smtp, message)
        async with self._database.transaction() as session:
            if refusal is None:
                await outbox.finish(session, claimed, *held)
            elif isinstance(refusal, SMTPRecipientsRefused) and refusal.recipients[0].code >= 500:
                await _mark_undeliverable(session, refusal.recipients[0].recipient)
                await outbox.finish(session, claimed, *held)
            else:
                await outbox.try_later(session, claimed)
        if message is not None:
            outcome = "mail_sent" if refusal is None else "mail_refused"
            log.info(outcome, kind=claimed.kind, account=claimed.account_id, reason=_reason(refusal))


async def _refusal(smtp: SMTP, message: EmailMessage) -> SMTPException | None:
    """Send a message, and return why the server refuses this one, or None if it takes it."""
    try:
        await smtp.send_message(message)
    except (SMTPRecipientsRefused, SMTPResponseException) as error:
        return error
    return None


def _reason(error: Exception | None) -> str | None:
    """Return what to log of an error: not the server's words, which may quote addresses."""
    match error:
        case None:
            return None
        case SMTPRecipientsRefused():
            return f"recipient refused with {error.recipients[0].code}"
        case SMTPResponseException():
            return f"{type(error).__name__} {error.code}"
    return type(error).__name__


async def _mark_undeliverable(session: AsyncSession, address: str) -> None:
    """Send no more notifications to an address that its server has refused for good."""
    accounts = await session.scalars(
        update(EmailAddress)
        .where(func.lower(EmailAddress.address) == checked(address).lower())
        .values(undeliverable_at=func.now())
        .returning(EmailAddress.account_id)
    )
    for account_id in accounts.all():
        await set_active(session, account_id, Channel.EMAIL, is_active=False)
