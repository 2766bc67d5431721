"""Asking for background work and waiting for its result."""

import asyncio
import contextlib
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson
from pgqueuer import Queries

from app.errors import AppError
from app.events import JobAdded, JobDone, job_topic
from app.realtime.bus import Bus
from app.realtime.hub import Hub, Subscription, SubscriptionEnded

if TYPE_CHECKING:
    import asyncpg

COMPUTER_MOVE = "computer_move"
"""The kind of job that makes a computer's move. The SQL function `request_computer_move` adds such jobs, at a
higher priority than all others, since a person waits for the move."""

_POLL_INTERVAL = 0.5  # seconds; events may be lost

_READ_RESULT = "SELECT result FROM job_results WHERE key = $1"
_STORE_RESULT = """
INSERT INTO job_results (key, result) VALUES ($1, $2)
ON CONFLICT (key) DO UPDATE SET result = excluded.result, created_at = now()
"""
_DELETE_OLD = """
WITH results AS (
    DELETE FROM job_results WHERE created_at < now() - make_interval(secs => $1)
), abandoned AS (
    DELETE FROM pgqueuer
    WHERE status = 'queued' AND entrypoint <> 'computer_move' AND created < now() - make_interval(secs => $1)
), log AS (
    DELETE FROM pgqueuer_log WHERE created < now() - interval '1 day'
)
DELETE FROM pgqueuer_statistics WHERE created < now() - interval '30 days'
"""


class BusyError(AppError):
    """No worker finished the job in time."""

    def __init__(self) -> None:
        super().__init__("computer_busy", 503, "The computer is busy just now. Try again in a moment.")


class FailedError(AppError):
    """The job was tried and cannot be done."""

    def __init__(self, message: str) -> None:
        super().__init__("computer_failed", 422, message)


class Queue:
    """The job queue, as one process uses it."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", bus: Bus, hub: Hub) -> None:
        self._pool = pool
        self._bus = bus
        self._hub = hub
        self._queries = Queries.from_asyncpg_pool(pool)

    async def ask(self, kind: str, key: str, payload: Mapping[str, Any], *, within: float) -> Any:
        """Return the result of a job, which is added unless it is waiting already or its result is stored.

        `key` identifies the work: all callers with the same key share one job and its result. Raise BusyError
        if the job is not done within `within` seconds (it stays in the queue, and asking again may find its
        result), FailedError if it cannot be done.
        """
        with self._hub.subscribe(job_topic(key)) as subscription:
            result = await self._result(key)
            if result is None:
                await self._add(kind, key, payload)
                result = await self._wait_for_result(key, subscription, within)
        if "error" in result:
            raise FailedError(result["error"])
        return result

    async def store_result(self, key: str, result: Mapping[str, Any]) -> None:
        """Store a result under a job's key; `{"error": message}` makes `ask` raise FailedError."""
        await self._pool.execute(_STORE_RESULT, key, orjson.dumps(result).decode())
        self._bus.publish(JobDone(key))

    async def delete_old(self, *, older_than: float) -> None:
        """Delete results, and jobs that no worker has claimed, if they are older than some seconds.

        Jobs for computers' moves are never deleted. PgQueuer's log is kept for a day, its statistics for 30
        days.
        """
        await self._pool.execute(_DELETE_OLD, older_than)

    async def _add(self, kind: str, key: str, payload: Mapping[str, Any]) -> None:
        await self._queries.enqueue(
            kind, orjson.dumps(payload), dedupe_key=key, headers={"key": key}, on_conflict="skip"
        )
        self._bus.publish(JobAdded())

    async def _wait_for_result(self, key: str, subscription: Subscription, within: float) -> Any:
        deadline = time.monotonic() + within
        while (result := await self._result(key)) is None:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise BusyError
            await _wait_for_event(subscription, min(remaining, _POLL_INTERVAL))
        return result

    async def _result(self, key: str) -> Any:
        result = await self._pool.fetchval(_READ_RESULT, key)
        return None if result is None else orjson.loads(result)


async def _wait_for_event(subscription: Subscription, seconds: float) -> None:
    """Wait at most some seconds for an event. Raise BusyError if the server is shutting down."""
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await subscription.get()
    except SubscriptionEnded:
        raise BusyError from None
