"""Rate limits of networks, names and accounts, and counting without Valkey."""

import hashlib
import math
import time
from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, Protocol, Self

from app.core import metrics
from app.core.database.session import Database
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


_MINUTE: Final = 60  # seconds
_HOUR: Final = 60 * _MINUTE


class Limit(Enum):
    """What is limited: how often it may be done, within a window of how many seconds."""

    LOGIN = 10, _MINUTE  # to one name from one network, or from one browser that it knows
    LOGIN_NETWORK = 40, _MINUTE  # to any name from one network
    LOGIN_NAME = 300, _HOUR  # to one name from anywhere
    CODE = 15, 10 * _MINUTE  # codes after the password of one account, or instead of it
    CONFIRM = 5, _MINUTE  # repeating the password, or using a passkey instead
    PASSKEY = 25, _MINUTE  # asking for a challenge
    REGISTER = 50, 10 * _MINUTE  # a club behind one router registers in one evening
    GUEST = 20, 10 * _MINUTE
    RESET_NETWORK = 10, 10 * _MINUTE  # asking for links to choose a new password
    EMAIL = 5, _HOUR  # entering an address, to which a mail is sent
    MAILBOX = 3, _HOUR  # asking for links to one mailbox, known or not, for one purpose
    CHALLENGE = 20, _MINUTE
    MOVE = 20, 1
    STEP = 60, _MINUTE
    TRY_NETWORK = 600, _MINUTE  # moves in lessons and puzzles without an account, perhaps of a whole class
    EDIT = 180, _MINUTE  # moves in a study, and taking moves back
    CHAT = 8, 15
    MESSAGE = 14, _MINUTE
    RECORD = 30, _MINUTE
    COMPUTER = 15, _MINUTE
    EVALUATE = 75, _MINUTE  # the analysis board asks once a second at most
    REVIEW = 12, _HOUR
    CARD = 45, _MINUTE
    COMPUTE = 300, _MINUTE  # pages that take tens of milliseconds to compute
    SEARCH = 90, _MINUTE
    REPORT = 12, _MINUTE
    KEPT_ANSWER = 250, _HOUR  # of more than 4 KiB, for a sender who might ask again
    REPORT_NETWORK = 20, _HOUR  # by guests of one network

    most: int
    seconds: int

    def __new__(cls, most: int, seconds: int) -> Self:
        """Return a member of its own, also if another one has the same figures."""
        limit = object.__new__(cls)
        limit._value_ = len(cls.__members__)
        limit.most, limit.seconds = most, seconds
        return limit

    __hash__ = object.__hash__  # that of an enumeration is a function in Python


TIMES_OF_SITE = 2
"""How often all networks of an IPv6 site together may do what each of them may do once."""
_SHARED = frozenset(
    (
        *(Limit.LOGIN, Limit.LOGIN_NETWORK, Limit.LOGIN_NAME, Limit.CODE, Limit.CONFIRM),
        *(Limit.PASSKEY, Limit.REGISTER, Limit.GUEST),
        *(Limit.RESET_NETWORK, Limit.EMAIL, Limit.MAILBOX, Limit.REPORT_NETWORK),
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
        # In the order in which they end. Those that have ended are forgotten when another one begins.
        self._windows: dict[Limit, OrderedDict[str, _Window]] = {limit: OrderedDict() for limit in Limit}

    async def count(self, limit: Limit, who: str, times: int = 1) -> int | None:
        """Count an action of `who`, as `Counts` says."""
        count = self._in_database if limit in _SHARED else self._in_process
        return await count(limit, who, times)

    async def _in_process(self, limit: Limit, who: str, times: int) -> int | None:
        windows, moment = self._windows[limit], time.monotonic()
        window = windows.get(who)
        if window is None or window.ends_at <= moment:
            while windows and next(iter(windows.values())).ends_at <= moment:
                windows.popitem(last=False)
            window = windows[who] = _Window(moment + limit.seconds)
        window.hits += 1
        return math.ceil(window.ends_at - moment) if window.hits > limit.most * times else None

    async def _in_database(self, limit: Limit, who: str, times: int) -> int | None:
        counted = await self._pool.fetchrow(_COUNT, digest(limit, who), limit.seconds)
        assert counted is not None
        return counted["seconds"] if counted["hits"] > limit.most * times else None


def digest(limit: Limit, who: str) -> bytes:
    """Return what a count is stored under: it does not show whose it is."""
    return hashlib.sha256(f"{limit.name} {who}".encode(errors="replace")).digest()


async def delete_old_counts(database: Database) -> None:
    """Delete the counts whose window has ended."""
    await database.pool.execute("DELETE FROM throttle_counts WHERE ends_at <= now()")
