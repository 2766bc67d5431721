"""Locking accounts, in an order in which no two transactions wait for each other, and what they may have.

An account is locked before anything else that its transaction locks. Rows that refer to it can be written
meanwhile, so nobody waits who only adds such a row.
"""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import ConflictError
from app.core.i18n.text import ngettext
from app.people.identity.models import Account


async def lock_account(session: AsyncSession, account_id: int) -> Account:
    """Return an account as it is now, locked until the transaction ends."""
    return await session.get_one(
        Account, account_id, with_for_update={"key_share": True}, populate_existing=True
    )


async def lock_open_accounts(session: AsyncSession, account_ids: Collection[int]) -> frozenset[int]:
    """Lock several accounts until the transaction ends, and return those of them that are not closed."""
    rows = await session.scalars(
        select(Account)
        .where(Account.id.in_(account_ids))
        .order_by(Account.id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    return frozenset(account.id for account in rows if account.closed_at is None)


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
