"""The queue of work: asked for by pages and programs, claimed by workers with SKIP LOCKED."""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from app.errors import AppError
from app.events import JobAdded, JobDone, job_topic
from app.realtime.bus import Bus
from app.realtime.hub import Hub, Subscription, SubscriptionEnded

if TYPE_CHECKING:
    import asyncpg

MOVE = "move"
"""The kind of job that makes a computer's move; the games' own transactions ask for it."""

_LOOK_EVERY = 0.5  # seconds; announcements may be lost

_ADD = """
INSERT INTO jobs (key, kind, payload) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING
"""
_READ = "SELECT result FROM jobs WHERE key = $1 AND done_at IS NOT NULL"
# A person waits for a move; of the rest, whoever asked first comes first.
_CLAIM = """
UPDATE jobs
SET attempts = attempts + 1, claimable_at = clock_timestamp() + make_interval(secs => $1)
WHERE key = (
    SELECT key FROM jobs
    WHERE done_at IS NULL AND claimable_at <= clock_timestamp()
    ORDER BY kind <> 'move', claimable_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING key, kind, payload, attempts
"""
_FINISH = """
UPDATE jobs SET done_at = clock_timestamp(), result = $2 WHERE key = $1 AND done_at IS NULL
"""
_RETRY = """
UPDATE jobs SET claimable_at = clock_timestamp() + make_interval(secs => $2)
WHERE key = $1 AND done_at IS NULL
"""
_FORGET = "DELETE FROM jobs WHERE done_at < clock_timestamp() - make_interval(secs => $1)"


class BusyError(AppError):
    """The workers have not come to it in time."""

    def __init__(self) -> None:
        super().__init__("computer_busy", 503, "The computer is busy just now. Try again in a moment.")


class FailedError(AppError):
    """The work was tried and cannot be done."""

    def __init__(self, message: str) -> None:
        super().__init__("computer_failed", 422, message)


@dataclass(frozen=True, slots=True)
class Job:
    """A claimed job; `attempts` counts this claim."""

    key: str
    kind: str
    payload: Mapping[str, Any]
    attempts: int


class Queue:
    """The work of the server, as this process sees it."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", bus: Bus, hub: Hub) -> None:
        self._pool = pool
        self._bus = bus
        self._hub = hub

    async def ask(self, kind: str, key: str, payload: Mapping[str, Any], *, within: float) -> Any:
        """Have a job done, or find that it was done before, and give its result.

        Raises BusyError when it is not done within so many seconds (it stays in the queue, so that asking
        again may find it done), FailedError when it cannot be done.
        """
        with self._hub.subscribe(job_topic(key)) as subscription:
            await self._pool.execute(_ADD, key, kind, orjson.dumps(payload).decode())
            self._bus.publish(JobAdded())
            until = time.monotonic() + within
            while (result := await self._result(key)) is None:
                left = until - time.monotonic()
                if left <= 0:
                    raise BusyError
                await _next(subscription, min(left, _LOOK_EVERY))
        if "error" in result:
            raise FailedError(result["error"])
        return result

    async def claim(self, lease: float) -> Job | None:
        """Claim a job for so many seconds, or give None when none waits."""
        row = await self._pool.fetchrow(_CLAIM, lease)
        if row is None:
            return None
        return Job(row["key"], row["kind"], orjson.loads(row["payload"]), row["attempts"])

    async def finish(self, job: Job, result: Mapping[str, Any]) -> None:
        """End a job with a result; `{"error": sentence}` tells why there is none."""
        await self._pool.execute(_FINISH, job.key, orjson.dumps(result).decode())
        self._bus.publish(JobDone(job.key))

    async def give_back(self, job: Job, *, after: float) -> None:
        """Let a job be claimed again after so many seconds."""
        await self._pool.execute(_RETRY, job.key, after)

    async def forget(self, *, older_than: float) -> None:
        """Delete the jobs that were done more than so many seconds ago."""
        await self._pool.execute(_FORGET, older_than)

    async def _result(self, key: str) -> Any:
        found = await self._pool.fetchval(_READ, key)
        return None if found is None else orjson.loads(found)


async def _next(subscription: Subscription, within: float) -> None:
    """Wait until something is announced, so many seconds at most."""
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                await subscription.get()
    except SubscriptionEnded:  # the server is going away
        raise BusyError from None
