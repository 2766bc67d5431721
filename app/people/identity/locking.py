"""Locking accounts, in an order in which no two transactions wait for each other.

An account is locked before anything else that its transaction locks. Rows that refer to it can be written
meanwhile, so nobody waits who only adds such a row.
"""

from collections.abc import Collection

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

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
