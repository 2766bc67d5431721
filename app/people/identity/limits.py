"""How many things of a kind one account may have at a time."""

from sqlalchemy import Select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import AppError
from app.people.identity.locking import lock_account


async def check_limit(
    session: AsyncSession, account_id: int, count: Select[int], most: int, error: AppError
) -> None:
    """Raise `error` if an account has `most` things already, by a query that counts them.

    The account stays locked until the transaction ends, so that two requests at once cannot exceed the limit.
    """
    await lock_account(session, account_id)
    if (await session.scalar(count) or 0) >= most:
        raise error
