"""Locking accounts, in an order in which no two transactions wait for each other.

An account is locked before anything else that its transaction locks. Rows that refer to it can be written
meanwhile, so nobody waits who only adds such a row.
"""

from collections.abc import Collection

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import AppError
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


async def check_limit(
    session: AsyncSession, account_id: int, count: Select[int], most: int, error: AppError
) -> None:
    """Raise `error` if an account has `most` things already, by a query that counts them.

    The account stays locked until the transaction ends, so that two requests at once cannot exceed the limit.
    """
    await lock_account(session, account_id)
    if (await session.scalar(count) or 0) >= most:
        raise error
