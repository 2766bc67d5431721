"""The audit log: who logged in, failed to, or changed what protects an account; in a table and in the log.

Addresses are shortened, and the rows are deleted after `KEPT_FOR`.
"""

from datetime import timedelta
from enum import StrEnum

import structlog
from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.i18n.text import Text, Worded, _, listed
from app.people.identity.clients import Client, browser_text
from app.people.identity.models import Account, SecurityEvent

log = structlog.get_logger()
KEPT_FOR = timedelta(days=180)


class Change(Worded):
    """A change of what protects an account, as the audit log has it, in a few words."""

    PASSWORD_CHANGED = "password_changed", _("Password changed")
    PASSWORD_RESET = "password_reset", _("Password reset")
    SECOND_FACTOR_ADDED = "second_factor_added", _("Second factor added")
    SECOND_FACTOR_REMOVED = "second_factor_removed", _("Second factor removed")
    RECOVERY_CODES_MADE = "recovery_codes_made", _("Recovery codes made")
    RECOVERY_CODE_USED = "recovery_code_used", _("Recovery code used")
    PASSKEY_ADDED = "passkey_added", _("Passkey added")
    PASSKEY_REVOKED = "passkey_revoked", _("Passkey revoked")
    EMAIL_ENTERED = "email_changed", _("E-mail address entered")
    EMAIL_CONFIRMED = "email_confirmed", _("E-mail address changed")
    EMAIL_REMOVED = "email_removed", _("E-mail address removed")
    EMAIL_RESTORED = "email_restored", _("E-mail address restored")
    TOKEN_CREATED = "token_created", _("Token created")
    KEY_REVOKED = "key_revoked", _("Browser or token revoked")
    ACCOUNT_CLOSED = "account_closed", _("Account closed")


class Action(Worded):
    """What else may be in the audit log about an account, in a few words, and why its owner is not told."""

    REGISTERED = "registered", _("Registered")  # nothing was there to protect
    LOGGED_IN = "logged_in", _("Logged in")  # changes nothing; the owner's list of browsers shows it
    LOGIN_FAILED = "login_failed", _("Wrong password at a log-in")  # changes nothing
    LOGGED_OUT = "logged_out", _("Logged out")  # ends only what its holder had
    CONFIRMATION_FAILED = "confirmation_failed", _("Wrong password in the settings")  # changes nothing
    CODE_FAILED = "code_failed", _("Wrong code after the password, or to reset it")  # changes nothing
    MARKED_AS_COMPUTER = "marked_as_computer", _("Marked as a computer")  # a label, which everybody sees
    RIGHT_GRANTED = "right_granted", _("Right granted")  # opens the account to nobody
    RIGHT_REVOKED = "right_revoked", _("Right revoked")  # opens the account to nobody
    MAIL_TESTED = "mail_tested", _("Test e-mail sent")  # changes nothing
    COMPETITION_CHANGED = "competition_changed", _("Competition changed")  # about a competition
    COMPETITION_ENDED = "competition_ended", _("Competition ended")  # about a competition
    COMPETITION_CANCELLED = "competition_cancelled", _("Competition cancelled")  # about a competition


class SiteAction(StrEnum):
    """What may be in the audit log about the site or the server, which is in no account's list."""

    ANNOUNCED = "announced"
    ANNOUNCEMENT_ENDED = "announcement_ended"
    REGISTRATION_CHANGED = "registration_changed"
    INVITATION_MADE = "invitation_made"
    INVITATION_ENDED = "invitation_ended"
    NAME_RESERVED = "name_reserved"
    NAME_RELEASED = "name_released"
    SCHEDULE_RUN = "schedule_run"
    WITNESS_ADDED = "witness_added"
    WITNESS_REMOVED = "witness_removed"


OPERATOR = Client(network="", browser="the operator", device="")
"""Who runs commands on the server."""
BY_ADMINISTRATOR = "administrator "
"""What stands before the name of an administrator, who acts for the operator."""


def record(
    session: AsyncSession, action: Action, account_id: int | None, client: Client, detail: str = ""
) -> None:
    """Add a line about an account, or about a name that no account has (None)."""
    _add(session, action, account_id, client, detail)


def record_of_site(session: AsyncSession, action: SiteAction, client: Client, detail: str = "") -> None:
    """Add a line about the site or the server."""
    _add(session, action, None, client, detail)


def record_change(
    session: AsyncSession, change: Change, account_id: int, client: Client, detail: str
) -> None:
    """Add a line about a change. Only `app.people.mail.notices` calls this, which tells the owner as well."""
    _add(session, change, account_id, client, detail)


def _add(session: AsyncSession, action: StrEnum, account_id: int | None, client: Client, detail: str) -> None:
    network = client.shortened_network
    session.add(
        SecurityEvent(
            action=action, account_id=account_id, detail=detail, network=network, browser=client.browser
        )
    )
    log.info("audit", action=action, account=account_id, detail=detail, network=network)


def is_by_operator() -> ColumnElement[bool]:
    """Return the condition that the operator or an administrator did what a line says."""
    return or_(*(SecurityEvent.browser.startswith(each) for each in (OPERATOR.browser, BY_ADMINISTRATOR)))


def source_text(browser: str, network: str) -> Text:
    """Return where something came from: a stored name of a browser, and a shortened network.

    For an administrator or the operator it names neither: they do not concern the account's owner.
    """
    if browser.startswith((OPERATOR.browser, BY_ADMINISTRATOR)):
        return _("the operator")
    return listed(*([browser_text(browser)] if browser else []), *([Text(network)] if network else []))


async def last_events(
    session: AsyncSession, most: int, account_id: int | None
) -> list[tuple[SecurityEvent, str | None]]:
    """Return the last `most` lines, of one account or of all, with the accounts' names; the newest first."""
    query = select(SecurityEvent, Account.username).join(Account, isouter=True)
    if account_id is not None:
        query = query.where(SecurityEvent.account_id == account_id)
    rows = await session.execute(query.order_by(SecurityEvent.id.desc()).limit(most))
    return [(event, name) for event, name in rows]
