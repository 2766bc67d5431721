"""Rate limits of networks, names and accounts, and counting without Valkey."""

import hashlib
import math
import time
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol

from cachetools import TTLCache
from limits import RateLimitItem, parse

from app.core import metrics
from app.core.errors import ThrottledError
from app.core.web.addresses import site_of

if TYPE_CHECKING:
    import asyncpg

_COUNT: Final = """
INSERT INTO throttle_counts AS counted (key, hits, ends_at) VALUES ($1, 1, now() + $2 * interval '1 second')
ON CONFLICT (key) DO UPDATE SET
    hits = CASE WHEN counted.ends_at > now() THEN counted.hits + 1 ELSE 1 END,
    ends_at = CASE WHEN counted.ends_at > now() THEN counted.ends_at ELSE excluded.ends_at END
RETURNING hits, ceil(extract(epoch FROM ends_at - now()))::int AS seconds
"""


class Limit(Enum):
    """What is limited, and how often it may be done within a window of time."""

    LOGIN = "10/minute"  # to one name from one network, or from one browser that it knows
    LOGIN_NETWORK = "40/minute"  # to any name from one network
    LOGIN_NAME = "300/hour"  # to one name from anywhere
    CODE = "15/10 minutes"  # codes after the password of one account, or instead of it
    CONFIRM = "5/minute"  # repeating the password, or using a passkey instead
    PASSKEY = "25/minute"  # asking for a challenge
    REGISTER = "50/10 minutes"  # a club behind one router registers in one evening
    GUEST = "20/10 minutes"
    RESET_NETWORK = "10/10 minutes"  # asking for links to choose a new password
    EMAIL = "5/hour"  # entering an address, to which a mail is sent
    MAILBOX = "3/hour"  # asking for links to one mailbox, known or not, for one purpose
    CHALLENGE = "20/minute"
    MOVE = "20/second"
    STEP = "60/minute"
    TRY_NETWORK = "600/minute"  # moves in lessons and puzzles without an account, perhaps of a whole class
    EDIT = "180/minute"  # moves in a study, and taking moves back
    CHAT = "8/15 seconds"
    MESSAGE = "14/minute"
    RECORD = "30/minute"
    COMPUTER = "15/minute"
    EVALUATE = "75/minute"  # the analysis board asks once a second at most
    REVIEW = "12/hour"
    CARD = "45/minute"
    COMPUTE = "300/minute"  # pages that take tens of milliseconds to compute
    SEARCH = "90/minute"
    REPORT = "12/minute"

    @property
    def item(self) -> RateLimitItem:
        """Return the limit as the `limits` library represents it."""
        return parse(self.value)


_ITEMS = {limit: limit.item for limit in Limit}
TIMES_OF_SITE = 2
"""How often all networks of an IPv6 site together may do what each of them may do once."""
_SHARED = frozenset(
    (
        *(Limit.LOGIN, Limit.LOGIN_NETWORK, Limit.LOGIN_NAME, Limit.CODE, Limit.CONFIRM),
        *(Limit.PASSKEY, Limit.REGISTER, Limit.GUEST),
        *(Limit.RESET_NETWORK, Limit.EMAIL, Limit.MAILBOX),
    )
)


class Counts(Protocol):
    """Counts how often something was done."""

    async def count(self, limit: Limit, who: str, times: int = 1) -> int | None:
        """Count an action of `who`, who may do it `times` as often as the limit says.

        If it is one too many, return after how many seconds it may be done.
        """


class Throttle:
    """Refuses actions above their limits."""

    def __init__(self, counts: Counts, *, enabled: bool) -> None:
        self._counts = counts
        self._enabled = enabled

    async def hit(self, limit: Limit, who: str) -> None:
        """Count one action of `who`, a network or account, and of the IPv6 site that a network belongs to.

        Raise ThrottledError if it exceeds the limit.
        """
        if self._enabled:
            await self._hit(limit, who, 1)
            site = site_of(who)
            if site is not None:
                await self._hit(limit, site, TIMES_OF_SITE)

    async def _hit(self, limit: Limit, who: str, times: int) -> None:
        seconds = await self._counts.count(limit, who, times)
        if seconds is not None:
            metrics.RATE_LIMITED.labels(limit.name.lower()).inc()
            raise ThrottledError(max(1, seconds))


@dataclass(slots=True)
class _Window:
    """How often something was done since the first time, until a moment by the monotonic clock."""

    ends_at: float
    hits: int = 0


class PostgresCounts:
    """Counts what guards accounts in PostgreSQL for all processes, and the rest in each process by itself.

    The rest is done far more often, each move included.
    """

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool
        # Those that have ended are forgotten when another one begins.
        self._windows: dict[Limit, TTLCache[str, _Window]] = {
            limit: TTLCache(math.inf, item.get_expiry()) for limit, item in _ITEMS.items()
        }

    async def count(self, limit: Limit, who: str, times: int = 1) -> int | None:
        """Count an action of `who`, as `Counts` says."""
        count = self._in_database if limit in _SHARED else self._in_process
        return await count(limit, who, times)

    async def _in_process(self, limit: Limit, who: str, times: int) -> int | None:
        item, windows, moment = _ITEMS[limit], self._windows[limit], time.monotonic()
        window = windows.get(who)
        if window is None:
            window = windows[who] = _Window(moment + item.get_expiry())
        window.hits += 1
        return math.ceil(window.ends_at - moment) if window.hits > item.amount * times else None

    async def _in_database(self, limit: Limit, who: str, times: int) -> int | None:
        item = _ITEMS[limit]
        counted = await self._pool.fetchrow(_COUNT, digest(limit, who), item.get_expiry())
        assert counted is not None
        return counted["seconds"] if counted["hits"] > item.amount * times else None


def digest(limit: Limit, who: str) -> bytes:
    """Return what a count is stored under: it does not show whose it is."""
    return hashlib.sha256(f"{limit.name} {who}".encode(errors="replace")).digest()


async def delete_old_counts(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    """Delete the counts whose window has ended."""
    await pool.execute("DELETE FROM throttle_counts WHERE ends_at <= now()")
