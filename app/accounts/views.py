"""What the page of settings offers and says."""

from dataclasses import dataclass
from datetime import datetime

from app.accounts.forms import EXPIRIES
from app.identity.audit import Action
from app.identity.models import SecurityEvent

SAVED = {
    "password": "Password changed. You have been logged out on all other devices.",
    "preferences": "Saved.",
    "revoked": "Revoked.",
    "computer": "This account is now labelled as a computer player.",
}
"""What the page says after something was saved."""

SCOPES = (("play", "play and read"), ("read", "read only"))
"""The scopes of a token as options of a select."""

EXPIRY_CHOICES = (*((str(days), f"in {days} days") for days in EXPIRIES), ("", "never"))
"""The lifetimes of a token as options of a select: days and text."""

_EVENTS = {
    Action.REGISTERED: "Registered",
    Action.LOGGED_IN: "Logged in",
    Action.LOGIN_FAILED: "Wrong password at a log-in",
    Action.LOGGED_OUT: "Logged out",
    Action.CONFIRMATION_FAILED: "Wrong password on this page",
    Action.PASSWORD_CHANGED: "Password changed",
    Action.TOKEN_CREATED: "Token made",
    Action.KEY_REVOKED: "Browser or token revoked",
    Action.MARKED_AS_COMPUTER: "Marked as a computer",
    Action.RIGHT_GRANTED: "Right granted",
    Action.ACCOUNT_CLOSED: "Account closed",
}


@dataclass(frozen=True, slots=True)
class EventRow:
    """A line of the list of security events: what happened, when, and where it came from."""

    text: str
    at: datetime
    source: str


def event_row(event: SecurityEvent) -> EventRow:
    """Return a line of the audit log as its account's owner sees it."""
    what = _EVENTS[Action(event.action)]
    return EventRow(
        text=f"{what}: {event.detail}" if event.detail else what,
        at=event.at,
        source=", ".join(filter(None, (event.browser, event.network))),
    )
