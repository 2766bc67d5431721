"""Telling owners of each change of what protects their accounts: in their lists, and by mail.

The mail goes to the address that the account has before the change. Whoever changes what protects an account
calls `record` first, in the transaction of the change; it also writes the line of the audit log.
"""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from app.core.ids import new_id
from app.people.identity import audit
from app.people.identity.audit import Change
from app.people.identity.clients import Client
from app.people.inbox.kinds import Channel, NewsKind
from app.people.inbox.models import Delivery
from app.people.inbox.service import News, notify
from app.people.mail import undoing
from app.people.mail.mailboxes import MailKind
from app.people.mail.models import EmailAddress

_TAKES_ADDRESS = (Change.EMAIL_CONFIRMED, Change.EMAIL_REMOVED, Change.ACCOUNT_CLOSED)


async def record(
    session: AsyncSession, change: Change, account_id: int, client: Client, detail: str = ""
) -> None:
    """Record a change that is about to be made, and tell the account's owner.

    After the commit publish `InboxChanged`.
    """
    audit.record_change(session, change, account_id, client, detail)
    data = {"change": change, "name": detail}
    await notify(session, News(account_id, NewsKind.SECURITY, new_id(), None, data))
    email = await session.get(EmailAddress, account_id)
    if email is None or email.address is None:
        return
    source = {"browser": client.browser, "network": client.shortened_network}
    mailed: dict[str, Any] = {**data, **source, "address": email.address, "language": email.language}
    kind = MailKind.CHANGED
    if change in _TAKES_ADDRESS:
        kind, mailed["undo"] = MailKind.ADDRESS_CHANGED, await undoing.keep(session, email)
    session.add(Delivery(channel=Channel.EMAIL, kind=kind, account_id=account_id, data=mailed))
