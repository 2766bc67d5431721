"""Addresses as people write them, the mailboxes that they lead to, and how many mails of a kind one gets."""

from collections.abc import Mapping
from enum import StrEnum

from email_validator import EmailNotValidError, validate_email

from app.core.errors import FieldError
from app.core.i18n.text import _
from app.people.inbox.kinds import Channel, NewsKind, kinds


def checked(address: str) -> str:
    """Return an address in its usual form. Raise FieldError `bad_email`."""
    try:
        return validate_email(address, check_deliverability=False, allow_smtputf8=False).normalized
    except EmailNotValidError:
        raise FieldError(
            "email", "bad_email", _("This is not an e-mail address. Check it for a typo: name@example.com")
        ) from None


def ascii_form(address: str) -> str:
    """Return a checked address as mail servers take it: a domain in other letters in its IDNA form."""
    form = validate_email(address, check_deliverability=False, allow_smtputf8=False).ascii_email
    assert form is not None
    return form


def mailbox_of(address: str) -> str:
    """Return what all addresses of one mailbox have in common, to count what is sent to it.

    Case, dots, and what follows a plus sign make no difference at most providers. Where they do, some people
    share a limit.
    """
    name, _at, domain = ascii_form(address).lower().rpartition("@")
    return f"{name.partition('+')[0].replace('.', '')}@{domain}"


class MailKind(StrEnum):
    """A kind of mail that is no notification."""

    CONFIRM = "confirm_address"
    RESET = "reset_password"
    DIGEST = "digest"
    CLOSED = "account_closed"
    CHANGED = "account_changed"
    ADDRESS_CHANGED = "address_changed"
    TEST = "test"


_MOST_AN_HOUR: Mapping[str, int] = {
    MailKind.CONFIRM: 3,
    MailKind.RESET: 3,
    MailKind.DIGEST: 4,
    MailKind.CLOSED: 3,
    MailKind.CHANGED: 6,
    MailKind.ADDRESS_CHANGED: 6,
    MailKind.TEST: 10,
}


def most_an_hour(kind: str) -> int:
    """Return how many mails of a kind one mailbox gets in an hour, also one that nobody has confirmed."""
    if kind in _MOST_AN_HOUR:
        return _MOST_AN_HOUR[kind]
    return kinds()[NewsKind(kind)].sent.by[Channel.EMAIL].most_an_hour
