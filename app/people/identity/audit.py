"""The audit log: who logged in, failed to, or changed what protects an account; in a table and in the log.

Addresses are shortened, and the rows are deleted after `KEPT_FOR`.
"""

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum

import structlog
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.i18n.text import Text, _, listed
from app.people.identity.clients import Client, browser_text
from app.people.identity.models import Account, SecurityEvent

log = structlog.get_logger()
KEPT_FOR = timedelta(days=180)


class Change(StrEnum):
    """A change of what protects an account, as the audit log has it."""

    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - the name of a change
    PASSWORD_RESET = "password_reset"  # noqa: S105 - the name of a change
    SECOND_FACTOR_ADDED = "second_factor_added"
    SECOND_FACTOR_REMOVED = "second_factor_removed"
    RECOVERY_CODES_MADE = "recovery_codes_made"
    RECOVERY_CODE_USED = "recovery_code_used"
    PASSKEY_ADDED = "passkey_added"
    PASSKEY_REVOKED = "passkey_revoked"
    EMAIL_ENTERED = "email_changed"
    EMAIL_CONFIRMED = "email_confirmed"
    EMAIL_REMOVED = "email_removed"
    EMAIL_RESTORED = "email_restored"
    TOKEN_CREATED = "token_created"  # noqa: S105 - the name of a change
    KEY_REVOKED = "key_revoked"
    ACCOUNT_CLOSED = "account_closed"


WORDS: Mapping[Change, Text] = {
    Change.PASSWORD_CHANGED: _("Password changed"),
    Change.PASSWORD_RESET: _("Password reset"),
    Change.SECOND_FACTOR_ADDED: _("Second factor added"),
    Change.SECOND_FACTOR_REMOVED: _("Second factor removed"),
    Change.RECOVERY_CODES_MADE: _("Recovery codes made"),
    Change.RECOVERY_CODE_USED: _("Recovery code used"),
    Change.PASSKEY_ADDED: _("Passkey added"),
    Change.PASSKEY_REVOKED: _("Passkey revoked"),
    Change.EMAIL_ENTERED: _("E-mail address entered"),
    Change.EMAIL_CONFIRMED: _("E-mail address changed"),
    Change.EMAIL_REMOVED: _("E-mail address removed"),
    Change.EMAIL_RESTORED: _("E-mail address restored"),
    Change.TOKEN_CREATED: _("Token created"),
    Change.KEY_REVOKED: _("Browser or token revoked"),
    Change.ACCOUNT_CLOSED: _("Account closed"),
}
"""Each change in a few words."""


class Action(StrEnum):
    """What may be in the audit log besides the changes of which the owner is told, and why not of these."""

    REGISTERED = "registered"  # nothing was there to protect
    LOGGED_IN = "logged_in"  # changes nothing; the owner's list of browsers shows it
    LOGIN_FAILED = "login_failed"  # changes nothing
    LOGGED_OUT = "logged_out"  # ends only what its holder had
    CONFIRMATION_FAILED = "confirmation_failed"  # changes nothing
    CODE_FAILED = "code_failed"  # changes nothing
    MARKED_AS_COMPUTER = "marked_as_computer"  # a label, which everybody sees
    RIGHT_GRANTED = "right_granted"  # opens the account to nobody
    RIGHT_REVOKED = "right_revoked"  # opens the account to nobody
    ANNOUNCED = "announced"  # about the site
    ANNOUNCEMENT_ENDED = "announcement_ended"  # about the site
    REGISTRATION_CHANGED = "registration_changed"  # about the site
    INVITATION_MADE = "invitation_made"  # about the site
    INVITATION_ENDED = "invitation_ended"  # about the site
    NAME_RESERVED = "name_reserved"  # about a name that no account has
    NAME_RELEASED = "name_released"  # about a name that no account has
    MAIL_TESTED = "mail_tested"  # changes nothing
    SCHEDULE_RUN = "schedule_run"  # about the server
    WITNESS_ADDED = "witness_added"  # about another server
    WITNESS_REMOVED = "witness_removed"  # about another server
    COMPETITION_CHANGED = "competition_changed"  # about a competition
    COMPETITION_ENDED = "competition_ended"  # about a competition
    COMPETITION_CANCELLED = "competition_cancelled"  # about a competition


OPERATOR = Client(network="", browser="the operator", device="")
"""Who runs commands on the server."""


def record(
    session: AsyncSession, action: Action, account_id: int | None, client: Client, detail: str = ""
) -> None:
    """Add a line about an account, or about a name that no account has (None)."""
    _add(session, action, account_id, client, detail)


def record_change(
    session: AsyncSession, change: Change, account_id: int, client: Client, detail: str = ""
) -> None:
    """Add a line about a change. Only `app.people.mail.notices` calls this, which tells the owner as well."""
    _add(session, change, account_id, client, detail)


def _add(
    session: AsyncSession, action: Action | Change, account_id: int | None, client: Client, detail: str
) -> None:
    network = client.shortened_network
    session.add(
        SecurityEvent(
            action=action, account_id=account_id, detail=detail, network=network, browser=client.browser
        )
    )
    log.info("audit", action=action, account=account_id, detail=detail, network=network)


def source_text(browser: str, network: str) -> Text:
    """Return where something came from: a stored name of a browser, and a shortened network."""
    if browser == OPERATOR.browser:
        return _("the operator")
    return listed(*([browser_text(browser)] if browser else []), *([Text(network)] if network else []))


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
