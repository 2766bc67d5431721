"""Locking accounts, in an order in which no two transactions wait for each other.

An account is locked before anything else that its transaction locks. Rows that refer to it can be written
meanwhile, so nobody waits who only adds such a row.
"""

from sqlalchemy.ext.asyncio import AsyncSession

from app.identity.models import Account


async def lock_account(session: AsyncSession, account_id: int) -> Account:
    """Return an account as it is now, locked until the transaction ends."""
    return await session.get_one(
        Account, account_id, with_for_update={"key_share": True}, populate_existing=True
    )
