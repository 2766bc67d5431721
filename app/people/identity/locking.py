"""Locking accounts, in an order in which no two transactions wait for each other, and what they may have.

An account is locked before anything else that its transaction locks, unless accounts that are locked are
skipped (`free_for` of tournaments). Rows that refer to it can be written meanwhile, so nobody waits who only
adds such a row.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import ConflictError, UnauthenticatedError
from app.core.i18n.text import ngettext
from app.people.identity.models import Account, BrowserSession
from app.people.identity.service import valid_session


async def lock_account(session: AsyncSession, account_id: int) -> Account:
    """Return an account as it is now, locked until the transaction ends."""
    return await session.get_one(
        Account, account_id, with_for_update={"key_share": True}, populate_existing=True
    )


async def lock_open_account(session: AsyncSession, account_id: int) -> Account:
    """Return a locked account. Raise UnauthenticatedError if it was closed after it was identified."""
    account = await lock_account(session, account_id)
    if account.closed_at is not None:
        raise UnauthenticatedError
    return account


async def lock_open_accounts(session: AsyncSession, account_ids: Collection[int]) -> frozenset[int]:
    """Lock several accounts until the transaction ends, and return those that are in use.

    These are not closed; and guests among them have a session, which has not moved to another account.
    """
    rows = await session.scalars(
        select(Account)
        .where(Account.id.in_(account_ids))
        .order_by(Account.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    return await _present(session, rows)


async def present(session: AsyncSession, account_ids: Collection[int]) -> frozenset[int]:
    """Return those of several accounts that are in use now, as `lock_open_accounts` does."""
    if not account_ids:
        return frozenset()
    return await _present(session, await session.scalars(select(Account).where(Account.id.in_(account_ids))))


async def _present(session: AsyncSession, accounts: Iterable[Account]) -> frozenset[int]:
    is_guest = {account.id: account.is_guest for account in accounts if account.closed_at is None}
    gone = {account_id for account_id, is_one in is_guest.items() if is_one}
    if gone:
        sessions = select(BrowserSession.account_id).where(BrowserSession.account_id.in_(gone))
        gone.difference_update(await session.scalars(sessions.where(*valid_session())))
    return frozenset(is_guest.keys() - gone)


@dataclass(frozen=True, slots=True)
class Most:
    """How many things of a kind an account may have, and what it is told when it has as many."""

    number: int
    code: str
    singular: str
    plural: str

    async def is_reached(self, session: AsyncSession, account_id: int, count: Select[int]) -> bool:
        """Return whether an account has as many, by a query that counts them.

        It stays locked until the transaction ends, so that two requests at once cannot exceed the limit.
        """
        await lock_account(session, account_id)
        return (await session.scalar(count) or 0) >= self.number

    async def check(self, session: AsyncSession, account_id: int, count: Select[int]) -> None:
        """Raise ConflictError of this code if an account has as many, see `is_reached`."""
        if await self.is_reached(session, account_id, count):
            raise self.error()

    def error(self) -> ConflictError:
        """Return what says that an account has as many."""
        return ConflictError(self.code, ngettext(self.singular, self.plural, self.number))
