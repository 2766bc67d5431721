"""What the pages of settings offer and say."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from app.accounts.forms import EXPIRIES
from app.accounts.models import Passkey
from app.accounts.passkeys import handle_of
from app.i18n.text import Text, _, listed, ngettext
from app.identity.audit import OPERATOR, Action
from app.identity.clients import browser_text
from app.identity.models import SecurityEvent

SAVED = {
    "password": _("Password changed. You have been logged out on all other devices."),
    "preferences": _("Saved."),
    "revoked": _("Revoked."),
    "reset": _("Password changed. Log in with the new one."),
    "second_factor": _("Second factor added. From now on you log in with a code as well."),
    "second_factor_removed": _("Second factor removed. From now on your password is enough."),
    "passkey": _("Passkey added. You can log in with it from now on."),
    "computer": _("This account is now labelled as a computer player."),
}
"""What the page says after something was saved."""

SCOPES = (("play", _("play and read")), ("read", _("read only")))
"""The scopes of a token as options of a select."""

EXPIRY_CHOICES = (
    *((str(days), ngettext("in %(count)s day", "in %(count)s days", days)) for days in EXPIRIES),
    ("", _("never")),
)
"""The lifetimes of a token as options of a select: days and text."""

_EVENTS = {
    Action.REGISTERED: _("Registered"),
    Action.LOGGED_IN: _("Logged in"),
    Action.LOGIN_FAILED: _("Wrong password at a log-in"),
    Action.LOGGED_OUT: _("Logged out"),
    Action.CONFIRMATION_FAILED: _("Wrong password in the settings"),
    Action.PASSWORD_CHANGED: _("Password changed"),
    Action.CODE_FAILED: _("Wrong code after the password, or to reset it"),
    Action.PASSWORD_RESET: _("Password reset"),
    Action.SECOND_FACTOR_ADDED: _("Second factor added"),
    Action.SECOND_FACTOR_REMOVED: _("Second factor removed"),
    Action.RECOVERY_CODES_MADE: _("Recovery codes made"),
    Action.RECOVERY_CODE_USED: _("Recovery code used"),
    Action.PASSKEY_ADDED: _("Passkey added"),
    Action.PASSKEY_REVOKED: _("Passkey revoked"),
    Action.EMAIL_CHANGED: _("E-mail address entered"),
    Action.EMAIL_REMOVED: _("E-mail address removed"),
    Action.TOKEN_CREATED: _("Token created"),
    Action.KEY_REVOKED: _("Browser or token revoked"),
    Action.MARKED_AS_COMPUTER: _("Marked as a computer"),
    Action.RIGHT_GRANTED: _("Right granted"),
    Action.ACCOUNT_CLOSED: _("Account closed"),
    Action.COMPETITION_CHANGED: _("Competition changed"),
    Action.COMPETITION_ENDED: _("Competition ended"),
    Action.COMPETITION_CANCELLED: _("Competition cancelled"),
}


@dataclass(frozen=True, slots=True)
class EventRow:
    """A line of the list of security events: what happened, when, and where it came from."""

    text: Text
    at: datetime
    source: Text


def event_row(event: SecurityEvent) -> EventRow:
    """Return a line of the audit log as its account's owner sees it."""
    what = _EVENTS[Action(event.action)]
    return EventRow(
        text=_("%(event)s: %(detail)s", event=what, detail=event.detail) if event.detail else what,
        at=event.at,
        source=listed(*_source(event)),
    )


def _source(event: SecurityEvent) -> Iterator[Text]:
    if event.browser == OPERATOR.browser:
        yield _("the operator")
    elif event.browser:
        yield browser_text(event.browser)
    if event.network:
        yield Text(event.network)


@dataclass(frozen=True, slots=True)
class PasskeyRow:
    """A line of the list of passkeys. `handle` identifies it in addresses."""

    handle: str
    name: str
    created_at: datetime
    used_at: datetime | None


def passkey_row(passkey: Passkey) -> PasskeyRow:
    """Return a passkey as its account's owner sees it."""
    return PasskeyRow(handle_of(passkey), passkey.name, passkey.created_at, passkey.used_at)
