"""Accounts: guests, registration, log-in, passwords, sessions and API tokens."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import delete, func, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import (
    AppError,
    FieldError,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    UnauthenticatedError,
)
from app.identity.models import Account, ApiToken, Session
from app.identity.passwords import hash_password, verify_password
from app.identity.tokens import new_token, token_hash
from app.moments import utc_now

SESSION_LIFETIME = timedelta(days=90)
SCOPES = ("play", "read")
"""What a token may be for: to play and to change things, or only to look."""
RIGHTS = ("organiser",)
"""What an account may be given: organisers open competitions."""

_USERNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}")
_GUEST_PREFIX = "guest-"
_PREFIXES = {_GUEST_PREFIX: "guests", "gorrion-": "the computer players"}
_PASSWORD_LENGTHS = range(8, 257)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking: an account, by which proof (its hash), and what that proof allows."""

    id: int
    username: str
    is_guest: bool
    proof: bytes
    scopes: frozenset[str]
    preferences: Mapping[str, str] = field(default_factory=dict)


async def register(
    session: AsyncSession, username: str, password: str, *, guest: Identity | None = None
) -> Account:
    """Make an account, or turn `guest` into one that keeps its games.

    Raises FieldError for a name that is malformed or taken, or a password of the wrong length.
    """
    _check_username(username)
    _check_password(password, "password")
    password_hash = await hash_password(password)
    account = await session.get(Account, guest.id) if guest is not None and guest.is_guest else None
    if account is None:
        account = Account(username=username, password_hash=password_hash)
        session.add(account)
    else:
        account.username, account.password_hash = username, password_hash
    try:
        await session.flush()
    except IntegrityError:
        raise FieldError(
            "username", "username_taken", "Somebody already plays under that name. Choose another."
        ) from None
    return account


async def create_guest(session: AsyncSession) -> Account:
    """Make an account for somebody who just wants to play."""
    account = Account(username=f"{_GUEST_PREFIX}{secrets.token_hex(4)}", password_hash=None)
    session.add(account)
    await session.flush()
    return account


async def authenticate(session: AsyncSession, username: str, password: str) -> Account:
    """Give the account of a right name and password; a wrong name and a wrong password look alike.

    Raises AppError `wrong_credentials`.
    """
    account = await find(session, username)
    if account is not None and account.closed_at is not None:
        account = None
    if not await verify_password(account.password_hash if account else None, password) or account is None:
        raise AppError(
            "wrong_credentials", 401, "That name and password do not go together. Check both and try again."
        )
    return account


async def computers(session: AsyncSession) -> list[Account]:
    """List the computer players of the server, the kindest first."""
    rows = await session.scalars(
        select(Account).where(Account.computer_level.is_not(None)).order_by(Account.computer_level)
    )
    return list(rows)


def identity_of_computer(account: Account) -> Identity:
    """Give the identity in which a computer player accepts challenges."""
    return _identity(account, b"", ())


async def find(session: AsyncSession, username: str) -> Account | None:
    """Give the account of that name, in whatever case it is written, or None."""
    # PostgreSQL's text cannot hold NUL, so nobody is called that.
    if "\0" in username:
        return None
    return await session.scalar(select(Account).where(func.lower(Account.username) == username.lower()))


async def grant(session: AsyncSession, username: str, right: str) -> list[str]:
    """Give an account a right and return all that it has. Raises InvalidError, NotFoundError."""
    if right not in RIGHTS:
        raise InvalidError(
            "no_such_right", f"There is no right {right!r}; choose one of {', '.join(RIGHTS)}."
        )
    account = await find(session, username)
    if account is None or account.is_guest:
        raise NotFoundError("account")
    account.rights = sorted({*account.rights, right})
    return account.rights


async def change_password(session: AsyncSession, identity: Identity, current: str, new: str) -> list[bytes]:
    """Set a new password and end the account's other sessions, whose token hashes are returned.

    Raises FieldError when the current password is wrong or the new one has the wrong length.
    """
    account = await session.get_one(Account, identity.id)
    if account.is_guest:
        raise ForbiddenError("guest", "A guest has no password. Register first.")
    if not await verify_password(account.password_hash, current):
        raise FieldError("current_password", "wrong_password", "That is not your present password.")
    _check_password(new, "new_password")
    account.password_hash = await hash_password(new)
    others = delete(Session).where(Session.account_id == account.id, Session.token_hash != identity.proof)
    return list(await session.scalars(others.returning(Session.token_hash)))


async def open_session(session: AsyncSession, account: Account, browser: str = "") -> str:
    """Log an account in, in a browser of that name, and give the new session's token."""
    token = new_token()
    session.add(
        Session(
            token_hash=token_hash(token),
            account_id=account.id,
            browser=browser,
            expires_at=utc_now() + SESSION_LIFETIME,
        )
    )
    await session.flush()
    return token


async def identify_session(session: AsyncSession, token: str) -> Identity | None:
    """Tell whose session a token is, or None when it has ended or never was."""
    proof = token_hash(token)
    row = await session.execute(
        select(Account)
        .join(Session, Session.account_id == Account.id)
        .where(Session.token_hash == proof, Session.expires_at > func.now())
    )
    account = row.scalar_one_or_none()
    return _identity(account, proof, SCOPES) if account else None


async def end_session(session: AsyncSession, identity: Identity) -> None:
    """Log a session out."""
    await session.execute(delete(Session).where(Session.token_hash == identity.proof))


async def issue_token(
    session: AsyncSession,
    account: Account,
    name: str,
    scopes: list[str],
    expires_at: datetime | None = None,
) -> str:
    """Make an API token with the given scopes and give it; it is shown this once."""
    token = new_token()
    session.add(
        ApiToken(
            token_hash=token_hash(token),
            account_id=account.id,
            name=name,
            scopes=sorted(set(scopes)),
            expires_at=expires_at,
        )
    )
    await session.flush()
    return token


async def identify_token(session: AsyncSession, token: str) -> Identity:
    """Tell whose API token this is. Raises UnauthenticatedError for one unknown, revoked or expired."""
    proof = token_hash(token)
    row = await session.execute(
        select(Account, ApiToken.scopes)
        .join(ApiToken, ApiToken.account_id == Account.id)
        .where(
            ApiToken.token_hash == proof,
            or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.now()),
        )
    )
    found = row.one_or_none()
    if found is None:
        raise UnauthenticatedError("That token is not valid (any more). Get one from POST /api/v1/tokens.")
    account, scopes = found
    return _identity(account, proof, scopes)


async def revoke_token(session: AsyncSession, identity: Identity) -> None:
    """End an API token."""
    await session.execute(delete(ApiToken).where(ApiToken.token_hash == identity.proof))


def _identity(account: Account, proof: bytes, scopes: list[str] | tuple[str, ...]) -> Identity:
    return Identity(
        account.id, account.username, account.is_guest, proof, frozenset(scopes), account.preferences
    )


def _check_username(username: str) -> None:
    if not _USERNAME.fullmatch(username):
        raise FieldError(
            "username",
            "bad_username",
            "A name has 3 to 20 letters, digits, - or _, and starts with a letter or a digit.",
        )
    for prefix, owners in _PREFIXES.items():
        if username.lower().startswith(prefix):
            raise FieldError(
                "username", "bad_username", f"Names that start with {prefix} are kept for {owners}."
            )


def _check_password(password: str, field: str) -> None:
    if len(password) not in _PASSWORD_LENGTHS:
        raise FieldError(field, "bad_password", "A password has 8 to 256 characters.")
