"""Usernames and passwords: which are allowed, and whether they match."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from anyio import to_thread
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.errors import AppError, FieldError, UnauthenticatedError
from app.core.events import Event
from app.core.i18n.text import _
from app.core.later import Later
from app.nugget.standings import RankingChanged
from app.people.identity import audit
from app.people.identity.audit import Action
from app.people.identity.clients import Client
from app.people.identity.locking import lock_account
from app.people.identity.models import Account, Erasure
from app.people.identity.names import find, folded, foldings
from app.people.identity.passwords import Line, hash_password, is_outdated, verify_password
from app.people.identity.service import Identity, is_valid
from app.site.moderation.queries import closing

if TYPE_CHECKING:
    import zxcvbn
else:
    zxcvbn = Later("zxcvbn")  # it has 13 MB of words

_USERNAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}")

_RESERVED_WORDS = """
abuse admin administrator all anonymous computer contact help info link me mod moderation moderator moderators
official operator postmaster privacy root security server staff support sysadmin system webmaster
"""

_PASSWORD_LENGTHS = range(8, 257)
_LEAST_GUESSES = 100_000
_LENGTH_JUDGED = 40  # characters; judging takes longer the longer a password is

MAY_RETURN = timedelta(days=14)
"""How long a closed account that is to be erased can be opened again by its owner, by logging in."""


# Of the computer players, of guests and of erased accounts.
_RESERVED_PREFIXES = tuple(map(folded, ("gorrion", "guest", "closed")))
_RESERVED = frozenset(map(folded, _RESERVED_WORDS.split()))


def check_username(username: str, field: str = "username") -> None:
    """Raise FieldError `bad_username` if nobody may register a username from a field of a form."""
    if not _USERNAME.fullmatch(username):
        raise FieldError(
            field,
            "bad_username",
            _("A username has 3 to 20 letters, digits, - or _, and starts with a letter or a digit."),
        )
    if _is_reserved(username):
        raise FieldError(field, "bad_username", _("This username is reserved. Choose another one."))


def username_taken(field: str = "username") -> FieldError:
    """Return the error of a username from a field of a form that another account has, or had."""
    return FieldError(field, "username_taken", _("This username is taken. Choose another one."))


def _is_reserved(username: str) -> bool:
    """Return whether a username looks like one of the site's own, such as G0rrion-9, guest_me or admin2."""
    return folded(username).startswith(_RESERVED_PREFIXES) or not _RESERVED.isdisjoint(foldings(username))


class WrongCredentialsError(AppError):
    """There is no open account with this username and password; `account_id` has this username, if any."""

    def __init__(self, account_id: int | None) -> None:
        super().__init__("wrong_credentials", 401, _("Incorrect username or password."))
        self.account_id = account_id


class ClosedError(AppError):
    """A moderator has closed the account. `appeal` is the path of a page where its owner may answer."""

    def __init__(self, account_id: int, appeal: str = "") -> None:
        message = _("A moderator has closed this account. You can read why, and answer.")
        super().__init__("account_closed", 403, message, extra={"appeal": appeal})
        self.account_id = account_id
        self.appeal = appeal


@dataclass(frozen=True, slots=True)
class Proven:
    """An account whose password was given. `new_hash` replaces a hash of outdated parameters."""

    account_id: int
    password_hash: str
    new_hash: str | None = None


async def authenticate(database: Database, username: str, password: str, line: Line) -> Proven:
    """Return the account with a username and a password.

    Raise WrongCredentialsError, alike and after the same time for an unknown username, a wrong password and
    an account that its owner closed; ClosedError for one that a moderator closed, if the password is right;
    OverloadedError.
    """
    async with database.reading_now() as session:
        account = await find(session, username)
        is_banished = account is not None and await closing(session, account) is not None
        may_log_in = is_banished or (account is not None and await may_enter(session, account))
    proven = await _proven(account if may_log_in else None, account.id if account else None, password, line)
    if is_banished:
        raise ClosedError(proven.account_id)
    return proven


async def authenticate_again(database: Database, account_id: int, password: str) -> Proven:
    """Return an account whose owner repeats the password. Raise WrongCredentialsError, OverloadedError."""
    async with database.reading_now() as session:
        account = await session.get_one(Account, account_id)
    return await _proven(account if account.closed_at is None else None, account_id, password, Line.KNOWN)


async def lock(session: AsyncSession, proven: Proven) -> Account:
    """Return an account, locked until the transaction ends, and update its outdated hash.

    Raise WrongCredentialsError if it was closed or its password changed after it was proven.
    """
    account: Account | None = await session.scalar(
        select(Account)
        .where(Account.id == proven.account_id, Account.password_hash == proven.password_hash)
        .with_for_update(key_share=True)
    )
    if account is None or not await may_enter(session, account):
        raise WrongCredentialsError(proven.account_id)
    if proven.new_hash is not None:
        account.password_hash = proven.new_hash
    return account


async def erase_later(session: AsyncSession, account_id: int) -> bool:
    """Schedule the erasure of a closed account's name and texts, after MAY_RETURN unless it is reopened.

    Return whether that is new: not when it is erased already, or waits for it.
    """
    erasure = insert(Erasure).values(account_id=account_id, due_at=func.now() + MAY_RETURN)
    return await session.scalar(erasure.on_conflict_do_nothing().returning(Erasure.account_id)) is not None


async def may_return(session: AsyncSession, account: Account) -> bool:
    """Return whether the owner of a closed account that is to be erased may still open it again."""
    waiting = select(Erasure.account_id).where(
        Erasure.account_id == account.id, Erasure.done_at.is_(None), Erasure.due_at > func.now()
    )
    is_waiting = await session.scalar(waiting) is not None
    return is_waiting and await closing(session, account) is None


async def open_again(session: AsyncSession, account: Account) -> list[Event]:
    """Open a locked account again if it is closed, also one that was to be erased. Return what to publish."""
    if account.closed_at is None:
        return []
    await session.execute(delete(Erasure).where(Erasure.account_id == account.id))
    account.closed_at = None
    return [RankingChanged()]  # it is ranked again


async def lock_owner(session: AsyncSession, identity: Identity) -> Account:
    """Return the account of an identity, locked until the transaction ends.

    Raise UnauthenticatedError if it was closed, or the session or token revoked, after it was identified.
    """
    account = await lock_account(session, identity.id)
    if not await is_valid(session, identity.proof):
        raise UnauthenticatedError
    return account


@asynccontextmanager
async def auditing(database: Database, failure: Action, client: Client) -> AsyncIterator[None]:
    """Record a failure if the password that is checked within this context is wrong."""
    try:
        yield
    except WrongCredentialsError as error:
        async with database.transaction() as session:
            audit.record(session, failure, error.account_id, client)
        raise


async def hash_new_password(password: str, username: str, line: Line) -> str:
    """Return the hash of a new password, from the field `new_password` of a form.

    Raise FieldError `bad_password`, OverloadedError.
    """
    await check_password(password, username, "new_password")
    return await hash_password(password, line)


async def check_password(password: str, username: str, field: str) -> None:
    """Raise FieldError `bad_password` if a password from a field of a form is not allowed."""
    if len(password) not in _PASSWORD_LENGTHS:
        raise FieldError(field, "bad_password", _("A password has 8 to 256 characters."))
    if await to_thread.run_sync(_guesses, password, username) < _LEAST_GUESSES:
        raise FieldError(field, "bad_password", _("This password is too easy to guess. Choose another one."))
    if len(password.lower().replace(username.lower(), "")) < _PASSWORD_LENGTHS.start:
        raise FieldError(
            field, "bad_password", _("Your username does not count towards the 8 characters of a password.")
        )


def _guesses(password: str, username: str) -> float:
    """Return after how many guesses a password is found by who tries common ones and variations first."""
    return float(zxcvbn.zxcvbn(password[:_LENGTH_JUDGED], user_inputs=[username])["guesses"])


async def may_enter(session: AsyncSession, account: Account) -> bool:
    """Return whether an account is open, or waits to be erased and is opened again by logging in."""
    return account.closed_at is None or await may_return(session, account)


async def _proven(account: Account | None, account_id: int | None, password: str, line: Line) -> Proven:
    """Return an account that may log in; `account_id` is the one that the audit log names otherwise."""
    password_hash = account.password_hash if account else None
    if not await verify_password(password_hash, password, line):
        raise WrongCredentialsError(account_id)
    assert account is not None
    assert password_hash is not None
    new_hash = await hash_password(password, line) if is_outdated(password_hash) else None
    return Proven(account.id, password_hash, new_hash)
