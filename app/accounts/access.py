"""The keys to an account: browsers that are logged in and tokens of programs, listed and revoked."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, FieldError, InvalidError, NotFoundError
from app.identity.models import Account, ApiToken, Session
from app.identity.passwords import verify_password
from app.identity.service import SCOPES, Identity, issue_token
from app.moments import utc_now

_HANDLE = 16  # hex digits of a key's hash by which it is named
_MOST_TOKENS = 50
EXPIRIES = (7, 30, 90, 365)  # days that are offered for a token

PREFERENCES = {
    "theme": ("system", "light", "dark"),
    "coordinates": ("on", "off"),
    "sounds": ("off", "on"),
    "confirm": ("auto", "always", "never"),
}
"""What an account may choose, each with its default first."""


@dataclass(frozen=True, slots=True)
class Key:
    """A session or a token. `handle` names it without giving it away."""

    handle: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    is_current: bool


async def sessions(session: AsyncSession, identity: Identity) -> list[Key]:
    """List the browsers in which an account is logged in, the latest first."""
    rows = await session.scalars(
        select(Session)
        .where(Session.account_id == identity.id, Session.expires_at > func.now())
        .order_by(Session.created_at.desc())
    )
    return [
        Key(
            _handle(row.token_hash),
            row.browser,
            (),
            row.created_at,
            row.expires_at,
            row.token_hash == identity.proof,
        )
        for row in rows
    ]


async def tokens(session: AsyncSession, identity: Identity) -> list[Key]:
    """List an account's API tokens that are valid, the latest first."""
    rows = await session.scalars(
        select(ApiToken)
        .where(
            ApiToken.account_id == identity.id,
            or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.now()),
        )
        .order_by(ApiToken.created_at.desc())
    )
    return [
        Key(_handle(row.token_hash), row.name, tuple(row.scopes), row.created_at, row.expires_at, False)
        for row in rows
    ]


async def make_token(
    session: AsyncSession, identity: Identity, name: str, scopes: list[str], days: int | None
) -> str:
    """Make a token of an account and give it, this once.

    Raises FieldError, ConflictError `too_many_tokens`.
    """
    name = name.strip()
    if not 1 <= len(name) <= 64 or "\0" in name:
        raise FieldError("name", "bad_name", "Give the token a name of 1 to 64 characters.")
    if not scopes or any(scope not in SCOPES for scope in scopes):
        raise FieldError("scopes", "bad_scope", f"Choose what it may do: {' or '.join(SCOPES)}.")
    if days is not None and days not in EXPIRIES:
        raise FieldError("days", "bad_expiry", "Choose one of the times that are offered.")
    if len(await tokens(session, identity)) >= _MOST_TOKENS:
        raise ConflictError(
            "too_many_tokens", f"You have {_MOST_TOKENS} tokens. Revoke one that you need no more."
        )
    account = await session.get_one(Account, identity.id)
    expires_at = None if days is None else utc_now() + timedelta(days=days)
    return await issue_token(session, account, name, scopes, expires_at)


async def revoke(session: AsyncSession, identity: Identity, handle: str) -> bytes:
    """Revoke a session or token of an account and give its hash. Raises NotFoundError."""
    for key in (Session, ApiToken):
        hashes = await session.scalars(select(key.token_hash).where(key.account_id == identity.id))
        for found in hashes:
            if _handle(found) == handle:
                await session.execute(delete(key).where(key.token_hash == found))
                return found
    raise NotFoundError("session or token")


async def prefer(session: AsyncSession, identity: Identity, choices: dict[str, str]) -> None:
    """Keep an account's preferences; those not given stay. Raises InvalidError `bad_preference`."""
    for name, value in choices.items():
        if value not in PREFERENCES.get(name, ()):
            raise InvalidError("bad_preference", f"{name} is one of {', '.join(PREFERENCES.get(name, ()))}.")
    account = await session.get_one(Account, identity.id)
    account.preferences = {**account.preferences, **choices}


async def close(session: AsyncSession, identity: Identity, password: str) -> list[bytes]:
    """Close an account for good: it keeps its name and games, and nobody can log in to it.

    Returns the hashes of the sessions and tokens that ended. Raises FieldError for a wrong password.
    """
    account = await session.get_one(Account, identity.id)
    if not account.is_guest and not await verify_password(account.password_hash, password):
        raise FieldError("close_password", "wrong_password", "That is not your password.")
    await session.execute(update(Account).where(Account.id == account.id).values(closed_at=func.now()))
    ended = []
    for key in (Session, ApiToken):
        statement = delete(key).where(key.account_id == account.id).returning(key.token_hash)
        ended += list(await session.scalars(statement))
    return ended


def _handle(proof: bytes) -> str:
    return proof.hex()[:_HANDLE]
