"""The keys to an account: browsers that are logged in and API tokens of programs, listed and revoked."""

import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, delete, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import NotFoundError
from app.identity.models import ApiToken, Session
from app.identity.service import Identity

_HANDLE_LENGTH = 16  # hexadecimal digits of a key's hash
_HANDLE = re.compile(f"[0-9a-f]{{{_HANDLE_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class Key:
    """A session or an API token. `handle` identifies it without revealing it."""

    handle: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class Keys:
    """The valid keys to an account, the newest first."""

    sessions: list[Key]
    tokens: list[Key]


async def keys_of(session: AsyncSession, identity: Identity) -> Keys:
    """Return the sessions and API tokens of an account that have not expired."""
    sessions = await session.scalars(
        select(Session)
        .where(Session.account_id == identity.id, Session.expires_at > func.now())
        .order_by(Session.created_at.desc())
    )
    tokens = await session.scalars(
        select(ApiToken).where(*_valid_tokens(identity.id)).order_by(ApiToken.created_at.desc())
    )
    return Keys(
        [_key(row, row.browser, (), identity) for row in sessions],
        [_key(row, row.name, tuple(row.scopes), identity) for row in tokens],
    )


def count_tokens(account_id: int) -> Select[int]:
    """Return the query for the number of an account's API tokens that have not expired."""
    return select(func.count()).select_from(ApiToken).where(*_valid_tokens(account_id))


async def revoke(session: AsyncSession, identity: Identity, handle: str) -> bytes:
    """Revoke a session or an API token and return its hash. Raise NotFoundError."""
    if _HANDLE.fullmatch(handle):
        for table in (Session, ApiToken):
            has_handle = func.encode(table.token_hash, "hex").startswith(handle)
            statement = delete(table).where(table.account_id == identity.id, has_handle)
            proof: bytes | None = await session.scalar(statement.returning(table.token_hash))
            if proof is not None:
                return proof
    raise NotFoundError("session or token")


async def revoke_current(session: AsyncSession, identity: Identity) -> None:
    """Revoke the session or API token that the identity was proved by."""
    for table in (Session, ApiToken):
        await session.execute(delete(table).where(table.token_hash == identity.proof))


async def revoke_other_sessions(session: AsyncSession, identity: Identity) -> list[bytes]:
    """Log an account out of all browsers but the current one, and return the hashes of those sessions."""
    others = delete(Session).where(Session.account_id == identity.id, Session.token_hash != identity.proof)
    return list(await session.scalars(others.returning(Session.token_hash)))


async def revoke_all(session: AsyncSession, account_id: int) -> list[bytes]:
    """Revoke all sessions and API tokens of an account, and return their hashes."""
    revoked: list[bytes] = []
    for table in (Session, ApiToken):
        statement = delete(table).where(table.account_id == account_id).returning(table.token_hash)
        revoked += await session.scalars(statement)
    return revoked


def _valid_tokens(account_id: int) -> tuple[ColumnElement[bool], ...]:
    is_valid = or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.now())
    return ApiToken.account_id == account_id, is_valid


def _key(row: Session | ApiToken, name: str, scopes: tuple[str, ...], identity: Identity) -> Key:
    return Key(
        handle=row.token_hash.hex()[:_HANDLE_LENGTH],
        name=name,
        scopes=scopes,
        created_at=row.created_at,
        expires_at=row.expires_at,
        is_current=row.token_hash == identity.proof,
    )
