"""Usernames and passwords: which are allowed, and whether they match."""

import re

from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import AppError, FieldError
from app.identity.models import Account
from app.identity.passwords import verify_password
from app.identity.service import GUEST_PREFIX, find

_USERNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}")
_RESERVED = {GUEST_PREFIX: "guests", "gorrion-": "the computer players"}
_PASSWORD_LENGTHS = range(8, 257)


async def authenticate(session: AsyncSession, username: str, password: str) -> Account:
    """Return the account with a username and a password.

    Raise AppError `wrong_credentials`, alike and after the same time for an unknown username, a wrong
    password and a closed account.
    """
    account = await find(session, username)
    if account is not None and account.closed_at is not None:
        account = None
    if not await verify_password(account.password_hash if account else None, password) or account is None:
        raise AppError("wrong_credentials", 401, "Incorrect username or password.")
    return account


def check_username(username: str) -> None:
    """Raise FieldError `bad_username` if nobody may register a username."""
    if not _USERNAME.fullmatch(username):
        raise FieldError(
            "username",
            "bad_username",
            "A username has 3 to 20 letters, digits, - or _, and starts with a letter or a digit.",
        )
    for prefix, owners in _RESERVED.items():
        if username.lower().startswith(prefix):
            raise FieldError(
                "username", "bad_username", f"Names that start with {prefix} are reserved for {owners}."
            )


def check_password(password: str, field: str) -> None:
    """Raise FieldError `bad_password` if a new password, from a field of a form, is too short or too long."""
    if len(password) not in _PASSWORD_LENGTHS:
        raise FieldError(field, "bad_password", "A password has 8 to 256 characters.")
