"""The keys to an account: browsers that are logged in and API tokens of programs, listed and revoked."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import NotFoundError, found
from app.core.web.shown import example
from app.people.identity.clients import Client, browser_text
from app.people.identity.events import ProofRevoked
from app.people.identity.locking import Most
from app.people.identity.models import Account, ApiToken, BrowserSession
from app.people.identity.service import (
    Identity,
    issue_token,
    open_session,
    token_hash,
    valid_session,
    valid_token,
)
from app.people.push import service as push

_HANDLE_LENGTH = 16  # hexadecimal digits of a key's hash
_MOST_TOKENS = Most(
    50,
    "too_many_tokens",
    "You have %(count)s token. Revoke it if you no longer need it.",
    "You have %(count)s tokens. Revoke one that you no longer need.",
)
KeyTable = type[BrowserSession | ApiToken]
SESSIONS: Sequence[KeyTable] = (BrowserSession,)
ALL: Sequence[KeyTable] = (BrowserSession, ApiToken)

_HANDLE = re.compile(f"[0-9a-f]{{{_HANDLE_LENGTH}}}")


@dataclass(frozen=True, slots=True)
class TokenShown:
    """A token of the account. `handle` names it without revealing it; `is_current`: this request has it."""

    handle: Annotated[str, example("3f9a01c2d4e5f607")]
    name: Annotated[str, example("my bot")]
    scopes: Sequence[Annotated[str, example("play")]]
    created_at: datetime
    used_at: datetime | None
    expires_at: datetime | None
    is_current: bool


@dataclass(frozen=True, slots=True)
class Keys:
    """The valid keys to an account, the newest first; sessions have no scopes."""

    sessions: list[TokenShown]
    tokens: list[TokenShown]


async def keys_of(session: AsyncSession, identity: Identity) -> Keys:
    """Return the sessions and API tokens of an account that have not expired."""
    sessions = await session.scalars(
        select(BrowserSession)
        .where(BrowserSession.account_id == identity.id, *valid_session())
        .order_by(BrowserSession.created_at.desc())
    )
    tokens = await session.scalars(
        select(ApiToken)
        .where(ApiToken.account_id == identity.id, valid_token())
        .order_by(ApiToken.created_at.desc())
    )
    return Keys(
        [_shown(row, browser_text(row.browser), (), identity) for row in sessions],
        [_shown(row, row.name, row.scopes, identity) for row in tokens],
    )


async def new_token(
    session: AsyncSession, account_id: int, name: str, scopes: Iterable[str], lifetime: timedelta | None
) -> str:
    """Return a new API token. Raise ConflictError `too_many_tokens`."""
    count = select(func.count()).select_from(ApiToken).where(ApiToken.account_id == account_id, valid_token())
    await _MOST_TOKENS.check(session, account_id, count)
    return await issue_token(session, account_id, name, scopes, lifetime)


async def replace_session(
    session: AsyncSession, account: Account, client: Client, presented: Identity | None
) -> str:
    """Log an account in in place of whom the browser presented, and return the token of the new session.

    If that was the same account, the devices that get its notifications go on with the new session.
    """
    token = await open_session(session, account, client.browser)
    if presented is not None and presented.id == account.id:
        await push.hand_over(session, presented.proof, token_hash(token))
    return token


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A session or an API token, by its table and hash, and what its owner calls it."""

    table: KeyTable
    token_hash: bytes
    name: str


async def find(session: AsyncSession, account_id: int, handle: str) -> FoundKey:
    """Return a session or an API token of an account. Raise NotFoundError."""
    if _HANDLE.fullmatch(handle):
        for table, name in zip(ALL, (BrowserSession.browser, ApiToken.name), strict=True):
            has_handle = func.encode(table.token_hash, "hex").startswith(handle)
            wanted = select(table.token_hash, name).where(table.account_id == account_id, has_handle)
            row = (await session.execute(wanted)).one_or_none()
            if row is not None:
                return FoundKey(table, *row)
    raise NotFoundError("session or token")


async def revoke(session: AsyncSession, key: FoundKey) -> ProofRevoked:
    """Revoke a session or an API token; return what to publish. Raise NotFoundError if it is gone."""
    revoked = delete(key.table).where(key.table.token_hash == key.token_hash).returning(key.table.token_hash)
    found(await session.scalar(revoked), "session or token")
    return ProofRevoked(key.token_hash.hex())


async def revoke_current(session: AsyncSession, identity: Identity | None) -> list[ProofRevoked]:
    """Revoke the session or API token that the identity was proved by, and return what to publish."""
    if identity is None:
        return []
    for table in ALL:
        await session.execute(delete(table).where(table.token_hash == identity.proof))
    return [ProofRevoked(identity.proof.hex())]


async def revoke_all(
    session: AsyncSession, account_id: int, tables: Iterable[KeyTable] = ALL, but: bytes = b""
) -> list[ProofRevoked]:
    """Revoke the keys to an account in some tables, but the one with a hash; return what to publish."""
    return [
        ProofRevoked(proof.hex())
        for table in tables
        for proof in await session.scalars(
            delete(table)
            .where(table.account_id == account_id, table.token_hash != but)
            .returning(table.token_hash)
        )
    ]


def _shown(
    row: BrowserSession | ApiToken, name: str, scopes: Sequence[str], identity: Identity
) -> TokenShown:
    return TokenShown(
        handle=row.token_hash.hex()[:_HANDLE_LENGTH],
        name=name,
        scopes=scopes,
        created_at=row.created_at,
        used_at=row.used_at,
        expires_at=row.expires_at,
        is_current=row.token_hash == identity.proof,
    )
