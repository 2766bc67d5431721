"""Rate limits: how often one address or account may do a thing."""

import math
import time
from enum import Enum

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection

from app.errors import ThrottledError


class Limit(Enum):
    """What is limited, each by its own window. Counted in each process by itself."""

    LOGIN = "10/minute"
    REGISTER = "10/10 minutes"
    GUEST = "20/10 minutes"
    CHALLENGE = "20/minute"
    MOVE = "20/second"
    STEP = "60/minute"
    RECORD = "30/minute"
    COMPUTER = "15/minute"

    @property
    def item(self) -> RateLimitItem:
        """Give the limit in the terms of the limiting library."""
        return parse(self.value)


_ITEMS = {limit: limit.item for limit in Limit}


class Throttle:
    """Counts what is limited and refuses what is too much."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def hit(self, limit: Limit, who: str) -> None:
        """Count one more by `who` (an address, an account). Raises ThrottledError when it is too much."""
        if not self._enabled:
            return
        item = _ITEMS[limit]
        if not await self._limiter.hit(item, limit.name, who):
            window = await self._limiter.get_window_stats(item, limit.name, who)
            raise ThrottledError(max(1, math.ceil(window.reset_time - time.time())))


def address(connection: HTTPConnection) -> str:
    """Give the address of the caller, as the server (or a trusted proxy before it) saw it."""
    return connection.client.host if connection.client else "unknown"
