"""Accounts: guests, registration, login, passwords, sessions and API tokens."""

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
"""The scopes of tokens: `play` allows changes, `read` does not."""
RIGHTS = ("organiser",)
"""The rights that an account can have: organisers may open competitions."""

_USERNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}")
_GUEST_PREFIX = "guest-"
_PREFIXES = {_GUEST_PREFIX: "guests", "gorrion-": "the computer players"}
_PASSWORD_LENGTHS = range(8, 257)


@dataclass(frozen=True, slots=True)
class Identity:
    """The account that makes a request.

    `proof` is the hash of the session or token that it presented, `scopes` what this allows.
    """

    id: int
    username: str
    is_guest: bool
    proof: bytes
    scopes: frozenset[str]
    preferences: Mapping[str, str] = field(default_factory=dict)


async def register(
    session: AsyncSession, username: str, password: str, *, guest: Identity | None = None
) -> Account:
    """Return a new account; if `guest` is a guest, it becomes the account and keeps its games.

    Raises FieldError if the name is malformed or taken, or the password has the wrong length.
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
            "username", "username_taken", "That name is already taken. Choose another."
        ) from None
    return account


async def create_guest(session: AsyncSession) -> Account:
    """Return a new account without a password."""
    account = Account(username=f"{_GUEST_PREFIX}{secrets.token_hex(4)}", password_hash=None)
    session.add(account)
    await session.flush()
    return account


async def authenticate(session: AsyncSession, username: str, password: str) -> Account:
    """Return the account with this name and password.

    Raises AppError `wrong_credentials`, which does not reveal whether the name exists.
    """
    account = await find(session, username)
    if account is not None and account.closed_at is not None:
        account = None
    if not await verify_password(account.password_hash if account else None, password) or account is None:
        raise AppError("wrong_credentials", 401, "Incorrect username or password.")
    return account


async def computers(session: AsyncSession) -> list[Account]:
    """Return the server's own computer players, the weakest first."""
    rows = await session.scalars(
        select(Account).where(Account.computer_level.is_not(None)).order_by(Account.computer_level)
    )
    return list(rows)


def identity_of_computer(account: Account) -> Identity:
    """Return the identity of a computer player, with which it accepts challenges."""
    return _identity(account, b"", ())


async def find(session: AsyncSession, username: str) -> Account | None:
    """Return the account with this name, ignoring case, or None."""
    # PostgreSQL cannot compare with text that contains NUL.
    if "\0" in username:
        return None
    return await session.scalar(select(Account).where(func.lower(Account.username) == username.lower()))


async def grant(session: AsyncSession, username: str, right: str) -> list[str]:
    """Give an account a right, and return all its rights. Raises InvalidError, NotFoundError."""
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
    """Change the password, end the account's other sessions, and return their hashes.

    Raises ForbiddenError for a guest, FieldError if the current password is wrong or the new one has the
    wrong length.
    """
    account = await session.get_one(Account, identity.id)
    if account.is_guest:
        raise ForbiddenError("guest", "A guest has no password. Register first.")
    if not await verify_password(account.password_hash, current):
        raise FieldError("current_password", "wrong_password", "Your current password is incorrect.")
    _check_password(new, "new_password")
    account.password_hash = await hash_password(new)
    others = delete(Session).where(Session.account_id == account.id, Session.token_hash != identity.proof)
    return list(await session.scalars(others.returning(Session.token_hash)))


async def open_session(session: AsyncSession, account: Account, browser: str = "") -> str:
    """Open a session of an account in a browser with this name, and return its token."""
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
    """Return the owner of a session's token, or None if the session has ended or never existed."""
    proof = token_hash(token)
    row = await session.execute(
        select(Account)
        .join(Session, Session.account_id == Account.id)
        .where(Session.token_hash == proof, Session.expires_at > func.now())
    )
    account = row.scalar_one_or_none()
    return _identity(account, proof, SCOPES) if account else None


async def end_session(session: AsyncSession, identity: Identity) -> None:
    """End the session of an identity."""
    await session.execute(delete(Session).where(Session.token_hash == identity.proof))


async def issue_token(
    session: AsyncSession,
    account: Account,
    name: str,
    scopes: list[str],
    expires_at: datetime | None = None,
) -> str:
    """Create an API token and return it; only its hash is stored. Without `expires_at` it never expires."""
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
    """Return the owner of an API token. Raises UnauthenticatedError if it is unknown, revoked or expired."""
    proof = token_hash(token)
    row = await session.execute(
        select(Account, ApiToken.scopes)
        .join(ApiToken, ApiToken.account_id == Account.id)
        .where(
            ApiToken.token_hash == proof,
            or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.now()),
        )
    )
    owner = row.one_or_none()
    if owner is None:
        raise UnauthenticatedError("Invalid or expired token. Get a new one from POST /api/v1/tokens.")
    account, scopes = owner
    return _identity(account, proof, scopes)


async def revoke_token(session: AsyncSession, identity: Identity) -> None:
    """Revoke the API token of an identity."""
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
                "username", "bad_username", f"Names that start with {prefix} are reserved for {owners}."
            )


def _check_password(password: str, field: str) -> None:
    if len(password) not in _PASSWORD_LENGTHS:
        raise FieldError(field, "bad_password", "A password has 8 to 256 characters.")
