"""Changes of what protects an account, of each of which its owner is told: see `app.people.mail.notices`."""

from collections.abc import Mapping
from enum import StrEnum

from app.core.i18n.text import Text, _


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
