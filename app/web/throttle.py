"""Rate limits for addresses and accounts, counted in each process by itself."""

import math
import time
from enum import Enum

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from app.errors import ThrottledError


class Limit(Enum):
    """What is limited, and how often it may be done within a moving window."""

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
        """Return the limit as the `limits` library represents it."""
        return parse(self.value)


_ITEMS = {limit: limit.item for limit in Limit}


class Throttle:
    """Counts limited actions and refuses those above the limit."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def hit(self, limit: Limit, who: str) -> None:
        """Count one action of `who`, an address or account. Raise ThrottledError if it exceeds the limit."""
        if not self._enabled:
            return
        item = _ITEMS[limit]
        if not await self._limiter.hit(item, limit.name, who):
            window = await self._limiter.get_window_stats(item, limit.name, who)
            raise ThrottledError(max(1, math.ceil(window.reset_time - time.time())))
