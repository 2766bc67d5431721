"""What is done once although it is requested twice: a key that is committed together with what was done."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

_CLAIM = text("""
INSERT INTO idempotency_keys (digest, request) VALUES (:digest, :request)
ON CONFLICT DO NOTHING RETURNING true
""")


class DoneBeforeError(Exception):
    """What is requested has been done, in answer to an earlier request with the same key."""


@dataclass(slots=True)
class Errand:
    """What a request asks for: the digests of its key and of itself, and whether its key is claimed.

    The first transaction of the request claims the key. Another request that claims it waits for the end of
    that transaction, in whichever process.
    """

    digest: bytes
    request: bytes
    is_claimed: bool = False


current: ContextVar[Errand | None] = ContextVar("errand", default=None)
"""The errand of the request that is being answered, if it has a key."""


@contextlib.asynccontextmanager
async def claiming() -> AsyncIterator[Callable[[AsyncSession], Awaitable[None]]]:
    """Yield a function that claims the key of the current errand in a transaction. Enter it before that one.

    If the transaction fails, or if nobody knows whether it does, the key does not count as claimed.
    """
    errand = current.get()
    if errand is None or errand.is_claimed:
        yield _claim_nothing
        return
    errand.is_claimed = True  # before transactions of the same request that run at the same time
    try:
        yield lambda session: _claim(session, errand)
    except BaseException:
        errand.is_claimed = False
        raise


async def _claim_nothing(_session: AsyncSession) -> None:
    """Do nothing."""


async def _claim(session: AsyncSession, errand: Errand) -> None:
    """Claim the key of an errand. Raise DoneBeforeError if another request has done it."""
    if not await session.scalar(_CLAIM, {"digest": errand.digest, "request": errand.request}):
        raise DoneBeforeError
