"""What is done once although it is requested twice: a key that is committed together with what was done.

Both ways to commit claim it: `Database.transaction`, and the journal of games.
"""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import Connection, DirectStatement

_CLAIM = text("""
INSERT INTO idempotency_keys (digest, request) VALUES (:digest, :request)
ON CONFLICT DO NOTHING RETURNING true
""")
_CLAIM_ON = DirectStatement(_CLAIM)


class DoneBeforeError(Exception):
    """What is requested has been done, in answer to an earlier request with the same key."""


@dataclass(slots=True)
class Errand:
    """What a request asks for: the digests of its key and of itself, and whether its key is claimed.

    What the request commits first claims the key. Another request that claims it waits for the end of that
    transaction, in whichever process.
    """

    digest: bytes
    request: bytes
    is_claimed: bool = False


current: ContextVar[Errand | None] = ContextVar("errand", default=None)
"""The errand of the request that is being answered, if it has a key."""


def unclaimed() -> Errand | None:
    """Return the errand of the request that is being answered, or None if it has no key, or claimed it."""
    errand = current.get()
    return None if errand is None or errand.is_claimed else errand


@contextlib.asynccontextmanager
async def claiming() -> AsyncIterator[Callable[[AsyncSession], Awaitable[None]]]:
    """Yield a function that claims the key of the current errand in a transaction. Enter it before that one.

    If the transaction fails, or if nobody knows whether it does, the key does not count as claimed.
    """
    errand = unclaimed()
    if errand is None:
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


async def claim_on(connection: Connection, errand: Errand) -> None:
    """Claim the key of an errand in a transaction. Raise DoneBeforeError if another request has done it.

    Once the transaction is committed, the caller notes in the errand that the key is claimed.
    """
    if not await _CLAIM_ON.rows(connection, digest=errand.digest, request=errand.request):
        raise DoneBeforeError
