"""Addresses as people write them, and the mailboxes that they lead to."""

from email_validator import EmailNotValidError, validate_email

from app.core.errors import FieldError
from app.core.i18n.text import _


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
