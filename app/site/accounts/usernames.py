"""Which usernames may be registered."""

import re

from app.core.errors import FieldError
from app.core.i18n.text import _

_USERNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}")
_LOOK_ALIKES = str.maketrans("01i5", "olls", "-_")


def _folded(name: str) -> str:
    """Return a name without its hyphens, and with one of each group of look-alike characters."""
    return name.lower().translate(_LOOK_ALIKES)


# Of the computer players, of guests and of erased accounts.
_RESERVED_PREFIXES = tuple(map(_folded, ("gorrion", "guest", "closed")))
_RESERVED_WORDS = (
    *("abuse", "admin", "administrator", "anonymous", "computer", "contact", "help", "info", "link", "me"),
    *(
        "mod",
        "moderation",
        "moderator",
        "moderators",
        "official",
        "operator",
        "postmaster",
        "privacy",
        "root",
    ),
    *("security", "server", "staff", "support", "sysadmin", "system", "webmaster"),
)
_RESERVED = frozenset(map(_folded, _RESERVED_WORDS))


def check_username(username: str) -> None:
    """Raise FieldError `bad_username` if nobody may register a username."""
    if not _USERNAME.fullmatch(username):
        raise FieldError(
            "username",
            "bad_username",
            _("A username has 3 to 20 letters, digits, - or _, and starts with a letter or a digit."),
        )
    if _is_reserved(username):
        raise FieldError("username", "bad_username", _("This username is reserved. Choose another one."))


def _is_reserved(username: str) -> bool:
    """Return whether a username looks like one of the site's own, such as G0rrion-9, guest_me or admin2."""
    return _folded(username).startswith(_RESERVED_PREFIXES) or not _RESERVED.isdisjoint(
        (_folded(username), _folded(username.rstrip("0123456789")))
    )
