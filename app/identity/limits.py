"""How many things of a kind one account may have at a time."""

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import AppError
from app.identity.models import Account


async def lock_account(session: AsyncSession, account_id: int) -> None:
    """Lock an account until the transaction ends: others that lock it run one after another."""
    await session.execute(select(Account.id).where(Account.id == account_id).with_for_update(key_share=True))


async def check_limit(
    session: AsyncSession, account_id: int, count: Select[int], most: int, error: AppError
) -> None:
    """Raise `error` if an account has `most` things already, by a query that counts them.

    The account stays locked until the transaction ends, so that two requests at once cannot exceed the limit.
    """
    await lock_account(session, account_id)
    if (await session.scalar(count) or 0) >= most:
        raise error
