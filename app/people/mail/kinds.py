"""The kinds of mails that are no notifications, and how often each kind is sent."""

from collections.abc import Mapping
from enum import StrEnum

from app.people.inbox.kinds import Channel, NewsKind, kinds


class MailKind(StrEnum):
    """A kind of mail that is no notification."""

    CONFIRM = "confirm_address"
    RESET = "reset_password"
    DIGEST = "digest"
    CLOSED = "account_closed"
    CHANGED = "account_changed"
    ADDRESS_CHANGED = "address_changed"


_MOST_AN_HOUR: Mapping[str, int] = {
    MailKind.CONFIRM: 3,
    MailKind.RESET: 3,
    MailKind.DIGEST: 4,
    MailKind.CLOSED: 3,
    MailKind.CHANGED: 6,
    MailKind.ADDRESS_CHANGED: 6,
}


def most_an_hour(kind: str) -> int:
    """Return how many mails of a kind one mailbox gets in an hour, also one that nobody has confirmed."""
    if kind in _MOST_AN_HOUR:
        return _MOST_AN_HOUR[kind]
    return kinds()[NewsKind(kind)].sent.by[Channel.EMAIL].most_an_hour
