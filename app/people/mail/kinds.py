"""The kinds of mails that are no notifications, and how often each kind is sent."""

from collections.abc import Mapping
from enum import StrEnum

from app.people.inbox.kinds import Channel, most_an_hour


class MailKind(StrEnum):
    """A kind of mail that is no notification."""

    CONFIRM = "confirm_address"
    RESET = "reset_password"
    DIGEST = "digest"
    CLOSED = "account_closed"
    CHANGED = "account_changed"
    ADDRESS_CHANGED = "address_changed"


MOST_AN_HOUR: Mapping[str, int] = {
    **{str(kind): most for kind, most in most_an_hour(Channel.EMAIL).items()},
    MailKind.CONFIRM: 3,
    MailKind.RESET: 3,
    MailKind.DIGEST: 4,
    MailKind.CLOSED: 3,
    MailKind.CHANGED: 6,
    MailKind.ADDRESS_CHANGED: 6,
}
"""How many mails of a kind one mailbox gets in an hour, also one that nobody has confirmed."""
