"""Accounts and the proofs of who is asking: sessions of browsers and API tokens of programs.

The functions run in the caller's transaction.
"""

import hashlib
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from sqlalchemy import (
    ARRAY,
    ColumnElement,
    CompoundSelect,
    LargeBinary,
    Update,
    any_,
    bindparam,
    case,
    func,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core import json
from app.core.database.session import Database
from app.core.database.statements import DirectStatement
from app.core.errors import ForbiddenError, NeedsAccountError, NotConfirmedError, UnauthenticatedError
from app.core.i18n.text import Text, _
from app.core.moments import utc_now
from app.people.identity.models import Account, ApiToken, BrowserSession

SESSION_LIFETIME = timedelta(days=90)
"""How long a session lasts; that of a guest, which no password can replace, as long after its last use."""

SESSION_IDLE = timedelta(days=30)
"""How long a session of an account with a password lasts without being used."""

CONFIRMED_FOR = timedelta(minutes=10)
"""How long a session may change what protects its account after the owner gave the password or a passkey."""

TOKEN_LIFETIME = timedelta(days=365)
"""How long an API token is valid unless its owner chooses otherwise."""

_NOTE_USE_EVERY = timedelta(minutes=5)
SCOPES = ("play", "read")
"""What a token allows: `play` to play and change things, `read` only to read."""

_SOLVER = 8  # the level of the computer player that has entered records since the first version

GUEST_PREFIX = "guest-"
ORGANISER = "organiser"
"""The right to make competitions of Golden Nugget, and rated or large tournaments."""

ADMINISTRATOR = "administrator"
MODERATOR = "moderator"
"""The right to act on reports, which administrators have as well."""


def new_token() -> str:
    """Return a new token of 256 random bits, safe in URLs and cookies."""
    return secrets.token_urlsafe(32)


def new_api_token() -> str:
    """Return a new API token. Its prefix lets scanners find tokens that were published by mistake."""
    return f"gor_{new_token()}"


def token_hash(token: str) -> bytes:
    """Return the SHA-256 of a token. A slow hash is unnecessary, because tokens are long and random."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


if TYPE_CHECKING:
    import asyncpg


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking: an account, the hash of its session or token, and what that allows.

    `confirmed_at` is when the owner last gave the password or a passkey in this session.
    """

    id: int
    username: str
    is_guest: bool
    proof: bytes
    scopes: frozenset[str]
    preferences: Mapping[str, str] = field(default_factory=dict)
    rights: frozenset[str] = frozenset()
    confirmed_at: datetime | None = None

    @property
    def may_play(self) -> bool:
        """Return whether what is asked may change something: a token without the scope `play` only reads."""
        return "play" in self.scopes

    @property
    def is_moderator(self) -> bool:
        """Return whether the account may act on reports."""
        return MODERATOR in self.rights or self.is_administrator

    @property
    def is_administrator(self) -> bool:
        """Return whether the account may look after the server."""
        return ADMINISTRATOR in self.rights


class Guestlike(Protocol):
    """Somebody who may be a guest."""

    @property
    def is_guest(self) -> bool:
        """Return whether it is a guest."""


_G = TypeVar("_G", bound=Guestlike)


def check_registered(player: _G | None, message: Text, *, code: str = "needs_account") -> _G:
    """Return a player. Raise NeedsAccountError with a code for a guest or a visitor (None)."""
    if player is None or player.is_guest:
        raise NeedsAccountError(code, message)
    return player


def check_owner(identity: Identity) -> None:
    """Raise NeedsAccountError for a guest, NotConfirmedError `CONFIRMED_FOR` after the last confirmation."""
    check_registered(identity, _("Register first: this is for accounts with a name."))
    if identity.confirmed_at is None or utc_now() - identity.confirmed_at >= CONFIRMED_FOR:
        raise NotConfirmedError


def check_administrator(identity: Identity) -> None:
    """Raise ForbiddenError unless an account is an administrator's."""
    if not identity.is_administrator:
        raise ForbiddenError("not_an_administrator", _("Only administrators of the server can do this."))


async def confirm(session: AsyncSession, identity: Identity) -> None:
    """Store that the owner has just given the password or a passkey in the identity's session."""
    confirmed = update(BrowserSession).where(BrowserSession.token_hash == identity.proof)
    await session.execute(confirmed.values(confirmed_at=func.now()))


async def computers(session: AsyncSession) -> list[Account]:
    """Return the server's computer players, the weakest first."""
    rows = await session.scalars(
        select(Account).where(Account.computer_level.is_not(None)).order_by(Account.computer_level)
    )
    return list(rows)


async def solver(session: AsyncSession) -> Account:
    """Return the computer player that enters the server's records, always the same one."""
    return (await session.scalars(select(Account).where(Account.computer_level == _SOLVER))).one()


def identity_of(account: Account) -> Identity:
    """Return the identity of an account for which the server acts, without a proof."""
    rights = frozenset(account.rights)
    return Identity(
        account.id, account.username, account.is_guest, b"", frozenset(), account.preferences, rights
    )


def new_guest_name() -> str:
    """Return a name for a guest that no other one has."""
    return f"{GUEST_PREFIX}{secrets.token_hex(4)}"


async def create_guest(session: AsyncSession) -> Account:
    """Create an account without a password for somebody who wants to play at once."""
    account = Account(username=new_guest_name(), password_hash=None)
    session.add(account)
    await session.flush()
    return account


async def open_session(session: AsyncSession, account: Account, browser: str = "") -> str:
    """Log an account in and return the token of its new session; `browser` is the session's name in lists."""
    token = new_token()
    session.add(
        BrowserSession(
            token_hash=token_hash(token),
            account_id=account.id,
            browser=browser,
            confirmed_at=utc_now(),
            expires_at=utc_now() + SESSION_LIFETIME,
        )
    )
    await session.flush()
    return token


async def identify_session(database: Database, token: str) -> Identity | None:
    """Return the owner of a session's token, or None if there is no such session or it has expired."""
    identity, _is_noted = await use_session(database, token)
    return identity


async def use_session(
    database: Database, token: str, aside: str | None = None
) -> tuple[Identity | None, bool]:
    """Return what `identify_session` returns, and whether the use was noted, which it is every few minutes.

    With the session, its browser uses the one of the guest that it keeps `aside`.
    """
    proof = token_hash(token)
    row = await _open_account(database, _OWNER_OF_SESSION, proof)
    if row is None:
        return None, False
    is_noted = _is_to_be_noted(row["used_at"])
    if is_noted:
        proofs = [token_hash(each) for each in (token, aside) if each is not None]
        await _USE_OF_SESSIONS.rows(database.pool, proofs=proofs)
    return _owner(row, proof, SCOPES, row["confirmed_at"]), is_noted


def valid_session() -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of a session that has not expired and, unless a guest has it, was used lately."""
    idle = case((_is_guests(), SESSION_LIFETIME), else_=SESSION_IDLE)
    return BrowserSession.expires_at > func.now(), BrowserSession.used_at > func.now() - idle


def _is_guests() -> ColumnElement[bool]:
    """Return the condition that a session is a guest's, by the key of the account."""
    owner = aliased(Account)
    is_guest = select(owner.password_hash.is_(None)).where(owner.id == BrowserSession.account_id)
    return is_guest.correlate(BrowserSession).scalar_subquery()


async def is_valid(session: AsyncSession, proof: bytes) -> bool:
    """Return whether the hash of a session or token still proves who is asking."""
    rows = await session.execute(_VALID_PROOFS, {"proofs": [proof]})
    return any(closed_at is None for _proof, closed_at in rows)


async def valid_proofs(database: Database, proofs: Collection[bytes]) -> frozenset[bytes]:
    """Return those of the hashes of sessions and tokens that still prove who is asking."""
    rows = await _ALL_VALID_PROOFS.rows(database.pool, proofs=list(proofs))
    return frozenset(row["token_hash"] for row in rows if row["closed_at"] is None)


async def issue_token(
    session: AsyncSession,
    account_id: int,
    name: str,
    scopes: Iterable[str],
    lifetime: timedelta | None = TOKEN_LIFETIME,
) -> str:
    """Create an API token and return it. Only its hash is stored; with the lifetime None it never expires."""
    token = new_api_token()
    session.add(
        ApiToken(
            token_hash=token_hash(token),
            account_id=account_id,
            name=name,
            scopes=sorted(set(scopes)),
            expires_at=None if lifetime is None else utc_now() + lifetime,
        )
    )
    await session.flush()
    return token


async def identify_token(database: Database, token: str) -> Identity:
    """Return the owner of an API token.

    Raise UnauthenticatedError if the token is unknown, revoked or expired.
    """
    proof = token_hash(token)
    row = await _open_account(database, _OWNER_OF_TOKEN, proof)
    if row is None:
        raise UnauthenticatedError(Text("Invalid or expired token. Get one from POST /api/v1/tokens."))
    if _is_to_be_noted(row["used_at"]):
        await _USE_OF_TOKEN.rows(database.pool, proof=proof)
    return _owner(row, proof, row["scopes"])


def valid_token() -> ColumnElement[bool]:
    """Return the condition of an API token that has not expired."""
    return or_(ApiToken.expires_at.is_(None), ApiToken.expires_at > func.now())


def _valid_proofs() -> CompoundSelect[bytes, datetime | None]:
    proofs = any_(bindparam("proofs", type_=ARRAY(LargeBinary)))
    sessions = select(BrowserSession.token_hash, Account.closed_at).join_from(BrowserSession, Account)
    tokens = select(ApiToken.token_hash, Account.closed_at).join_from(ApiToken, Account)
    return union_all(
        sessions.where(BrowserSession.token_hash == proofs, *valid_session()),
        tokens.where(ApiToken.token_hash == proofs, valid_token()),
    )


# These are made once, because they are executed again and again. None has the condition that the account is
# open: without statistics, PostgreSQL would look at all open accounts for it.
_VALID_PROOFS = _valid_proofs()
_ALL_VALID_PROOFS = DirectStatement(_VALID_PROOFS)
_OWNER = (
    Account.id,
    Account.username,
    Account.password_hash.is_(None).label("is_guest"),
    Account.preferences,
    Account.rights,
    Account.closed_at,
)
_OWNER_OF_SESSION = DirectStatement(
    select(*_OWNER, BrowserSession.used_at, BrowserSession.confirmed_at)
    .join(BrowserSession, BrowserSession.account_id == Account.id)
    .where(BrowserSession.token_hash == bindparam("proof"), *valid_session())
)
_OWNER_OF_TOKEN = DirectStatement(
    select(*_OWNER, ApiToken.scopes, ApiToken.used_at)
    .join(ApiToken, ApiToken.account_id == Account.id)
    .where(ApiToken.token_hash == bindparam("proof"), valid_token())
)


def _use_of_sessions() -> Update:
    """Return the statement that stores that those of some sessions that are valid are used now."""
    lasting = case((_is_guests(), func.now() + SESSION_LIFETIME), else_=BrowserSession.expires_at)
    proofs = any_(bindparam("proofs", type_=ARRAY(LargeBinary)))
    used = update(BrowserSession).where(BrowserSession.token_hash == proofs, *valid_session())
    return used.values(used_at=func.now(), expires_at=lasting)


# Uses are noted by requests whatever they ask for, so outside of the transactions that claim their keys.
_USE_OF_SESSIONS = DirectStatement(_use_of_sessions())
_USE_OF_TOKEN = DirectStatement(
    update(ApiToken).where(ApiToken.token_hash == bindparam("proof")).values(used_at=func.now())
)


async def _open_account(database: Database, owner: DirectStatement, proof: bytes) -> "asyncpg.Record | None":
    """Return the row of the open account that a session or token belongs to, or None."""
    row = await owner.row(database.pool, proof=proof)
    return None if row is None or row["closed_at"] is not None else row


def _is_to_be_noted(used_at: datetime | None) -> bool:
    """Return whether to store that a session or token is used now, which was not done in the last minutes."""
    return used_at is None or utc_now() - used_at >= _NOTE_USE_EVERY


def _owner(
    row: "asyncpg.Record", proof: bytes, scopes: Iterable[str], confirmed_at: datetime | None = None
) -> Identity:
    return Identity(
        row["id"],
        row["username"],
        row["is_guest"],
        proof,
        _shared(*scopes),
        json.decode(row["preferences"]),
        _shared(*row["rights"]),
        confirmed_at,
    )


@lru_cache(maxsize=256)
def _shared(*members: str) -> frozenset[str]:
    """Return a set that all identities share which have the same: each open page keeps its own identity."""
    return frozenset(members)
