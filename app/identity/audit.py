"""The audit log: who logged in, failed to, or changed what protects an account; in a table and in the log.

Addresses are shortened, and the rows are deleted after `KEPT_FOR`.
"""

from datetime import timedelta
from enum import StrEnum

import structlog
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.identity.clients import Client
from app.identity.models import Account, SecurityEvent

log = structlog.get_logger()

KEPT_FOR = timedelta(days=180)


class Action(StrEnum):
    """What may be in the audit log."""

    REGISTERED = "registered"
    LOGGED_IN = "logged_in"
    LOGIN_FAILED = "login_failed"
    LOGGED_OUT = "logged_out"
    CONFIRMATION_FAILED = "confirmation_failed"
    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - the name of an action
    CODE_FAILED = "code_failed"
    PASSWORD_RESET = "password_reset"  # noqa: S105 - the name of an action
    SECOND_FACTOR_ADDED = "second_factor_added"
    SECOND_FACTOR_REMOVED = "second_factor_removed"
    RECOVERY_CODES_MADE = "recovery_codes_made"
    RECOVERY_CODE_USED = "recovery_code_used"
    PASSKEY_ADDED = "passkey_added"
    PASSKEY_REVOKED = "passkey_revoked"
    EMAIL_CHANGED = "email_changed"
    EMAIL_REMOVED = "email_removed"
    TOKEN_CREATED = "token_created"  # noqa: S105 - the name of an action
    KEY_REVOKED = "key_revoked"
    MARKED_AS_COMPUTER = "marked_as_computer"
    RIGHT_GRANTED = "right_granted"
    ACCOUNT_CLOSED = "account_closed"
    COMPETITION_CHANGED = "competition_changed"
    COMPETITION_ENDED = "competition_ended"
    COMPETITION_CANCELLED = "competition_cancelled"


OPERATOR = Client(network="", browser="the operator", device="")
"""Who runs commands on the server."""


def record(
    session: AsyncSession, action: Action, account_id: int | None, client: Client, detail: str = ""
) -> None:
    """Add a line about an account, or about a name that no account has (None)."""
    network = client.shortened_network
    session.add(
        SecurityEvent(
            action=action, account_id=account_id, detail=detail, network=network, browser=client.browser
        )
    )
    log.info("audit", action=action, account=account_id, detail=detail, network=network)


async def events_of(session: AsyncSession, account_id: int, most: int) -> list[SecurityEvent]:
    """Return the last `most` lines about an account, the newest first."""
    query = select(SecurityEvent).where(SecurityEvent.account_id == account_id)
    return list(await session.scalars(query.order_by(SecurityEvent.id.desc()).limit(most)))


async def last_events(
    session: AsyncSession, most: int, username: str | None = None
) -> list[tuple[SecurityEvent, str | None]]:
    """Return the last `most` lines, of one account or of all, with the accounts' names; the newest first."""
    query = select(SecurityEvent, Account.username).join(Account, isouter=True)
    if username is not None:
        query = query.where(func.lower(Account.username) == username.lower())
    rows = await session.execute(query.order_by(SecurityEvent.id.desc()).limit(most))
    return [(event, name) for event, name in rows]
