"""Asking for background work and waiting for its result."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NewType

from pgqueuer import Queries
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.core import json
from app.core.database.session import Database
from app.core.errors import AppError, RetryLaterError
from app.core.i18n.text import Text, _
from app.core.jobs.events import JobAdded, JobDone, job_topic
from app.core.realtime.bus import Bus
from app.core.realtime.hub import Hub, Subscription, SubscriptionEnded

COMPUTER_MOVE = "computer_move"
"""The kind of job that makes a computer's move. The SQL function `request_computer_move` adds such jobs, at a
higher priority than all others, since a person waits for the move."""

Task = NewType("Task", str)
"""A kind of job that stores what it makes, so that it is of use if nobody waits for the result."""

MOST_ASKED = 2
"""How many results an asker may wait for at a time, in each process."""

_SHARE = 30
"""How many jobs of an asker have the same priority, each further ones a lower one."""
_MOST_ADDED = 300  # of an asker, that wait

_POLL_INTERVAL = 0.5  # seconds; events may be lost
_KEEP_RESULTS = 600.0  # seconds

_READ_RESULT = "SELECT result FROM job_results WHERE key = $1"
_STORE_RESULT = """
INSERT INTO job_results (key, result) VALUES ($1, $2)
ON CONFLICT (key) DO UPDATE SET result = excluded.result, created_at = now()
"""
_ADD = text("""
INSERT INTO pgqueuer (entrypoint, priority, status, dedupe_key, payload, headers)
SELECT :kind, job.priority, 'queued', job.key, job.payload, CAST(:headers AS jsonb)
FROM unnest(CAST(:priorities AS int[]), CAST(:keys AS text[]), CAST(:payloads AS bytea[]))
    AS job (priority, key, payload)
ON CONFLICT DO NOTHING
""")
_COUNT_OF_ASKER = text("SELECT count(*) FROM pgqueuer WHERE headers ->> 'asker' = :asker")
_DROP = "DELETE FROM pgqueuer WHERE dedupe_key = $1 AND status = 'queued'"
_COUNT_WAITING = "SELECT entrypoint, count(*) FROM pgqueuer WHERE status = 'queued' GROUP BY entrypoint"
_IS_UNDER_WAY = text(
    "SELECT EXISTS (SELECT FROM pgqueuer WHERE dedupe_key = ANY(:keys) AND status IN ('queued', 'picked'))"
)
_DELETE_OLD = """
WITH results AS (
    DELETE FROM job_results WHERE created_at < now() - make_interval(secs => $1)
), abandoned AS (
    DELETE FROM pgqueuer
    WHERE status = 'queued' AND headers ? 'key' AND created < now() - make_interval(secs => $1)
), log AS (
    DELETE FROM pgqueuer_log WHERE created < now() - interval '1 day'
)
DELETE FROM pgqueuer_statistics WHERE created < now() - interval '30 days'
"""

_BRING_BACK = """
UPDATE pgqueuer SET execute_after = least(execute_after, now()), heartbeat = least(heartbeat, now())
WHERE status IN ('queued', 'picked') AND greatest(execute_after, heartbeat) > now() + interval '1 minute'
"""


class Priority(IntEnum):
    """When a job is done that nobody waits for: after all that somebody waits for, the highest first."""

    SOON = -10
    """Many will look at its result: reviews, solutions of the boards of the day."""
    LATER = -20
    """It is for everybody, and no hurry: puzzles, dumps."""
    IDLE = -30
    """There is always more of it: bounds of boards."""


class BusyError(RetryLaterError):
    """No worker finished the job in time."""

    def __init__(self) -> None:
        message = _("The computer is busy just now. Try again in a moment.")
        super().__init__("computer_busy", 503, message, seconds=5)


class TooManyJobsError(RetryLaterError):
    """The asker waits for other results already."""

    def __init__(self) -> None:
        super().__init__(
            "too_many_jobs",
            429,
            _("The computer is still working for you. Wait for its answer, then ask again."),
            seconds=5,
        )


class FailedError(AppError):
    """The job was tried and cannot be done."""

    def __init__(self, message: str) -> None:
        super().__init__("computer_failed", 422, Text(message))


@dataclass(frozen=True, slots=True)
class Asker:
    """Who waits for a result: a name that is the same for all that one asker does, and whether they left."""

    name: str
    is_gone: Callable[[], Awaitable[bool]]


class Queue:
    """The job queue, as one process uses it."""

    def __init__(self, database: Database, bus: Bus, hub: Hub) -> None:
        self._database = database
        self._pool = database.pool
        self._bus = bus
        self._hub = hub
        self._queries = Queries.from_asyncpg_pool(database.pool)
        self._asked: Counter[str] = Counter()  # by asker
        self._wanted: Counter[str] = Counter()  # by key

    async def ask(
        self, kind: str, key: str, payload: Mapping[str, Any], *, asker: Asker, within: float
    ) -> Any:
        """Return the result of a job, which is added unless its result is stored or it is waiting already.

        `key` identifies the work: all who ask with the same key share one job and its result. An asker's
        second job waits behind the first ones of others. Raise TooManyJobsError if the asker waits for
        MOST_ASKED results already, BusyError if the job is not done within `within` seconds or the asker is
        gone, FailedError if it cannot be done. A job that nobody waits for any longer is dropped unless a
        worker has begun it; then asking again may find its result.
        """
        async with self._hub.subscribe(job_topic(key)) as subscription:
            result = await self.result(key)
            if result is None:
                with self._waiting(key, asker) as priority:
                    try:
                        result = await self._work(kind, key, payload, priority, asker, subscription, within)
                    except BusyError:
                        if self._wanted[key] == 1:
                            await self._pool.execute(_DROP, key)
                        raise
        if "error" in result:
            raise FailedError(result["error"])
        return result

    async def add(self, kind: Task, jobs: Mapping[str, Mapping[str, Any]], *, priority: Priority) -> None:
        """Add jobs that nobody waits for, payloads by keys, unless they are waiting already.

        Their results are not kept under the keys.
        """
        if jobs:
            async with self._database.transaction() as session:
                await self.add_within(session, kind, jobs, priority=priority)

    async def add_within(
        self,
        session: AsyncSession,
        kind: Task,
        jobs: Mapping[str, Mapping[str, Any]],
        *,
        priority: Priority,
    ) -> None:
        """Add jobs as `add` does, in the caller's transaction: they are added only if that is committed."""
        await self._insert(session, kind, jobs, [priority] * len(jobs), {})

    async def add_for(
        self, session: AsyncSession, asker: str, kind: Task, jobs: Mapping[str, Mapping[str, Any]]
    ) -> None:
        """Add jobs that somebody asked for and need not wait for, in the caller's transaction.

        The more jobs of an asker wait, the further behind are the next ones: others who ask do not wait for
        all of them. Raise TooManyJobsError if too many wait already.
        """
        waiting = await session.scalar(_COUNT_OF_ASKER, {"asker": asker}) or 0
        if waiting >= _MOST_ADDED:
            raise TooManyJobsError
        lowest, places = Priority.LATER + 1, range(waiting, waiting + len(jobs))
        priorities = [max(Priority.SOON - place // _SHARE, lowest) for place in places]
        await self._insert(session, kind, jobs, priorities, {"asker": asker})

    async def _insert(
        self,
        session: AsyncSession,
        kind: Task,
        jobs: Mapping[str, Mapping[str, Any]],
        priorities: Sequence[int],
        headers: Mapping[str, str],
    ) -> None:
        added = {
            "kind": kind,
            "priorities": priorities,
            "keys": list(jobs),
            "payloads": [json.encode(payload) for payload in jobs.values()],
            "headers": json.encode(headers).decode(),
        }
        await session.execute(_ADD, added)
        event.listen(session.sync_session, "after_commit", self._tell_workers, once=True)

    def _tell_workers(self, _session: object) -> None:
        self._bus.publish(JobAdded())

    async def is_under_way(self, session: AsyncSession, keys: Sequence[str]) -> bool:
        """Return whether one of some jobs waits or is being done. One that was given up does neither."""
        return bool(await session.scalar(_IS_UNDER_WAY, {"keys": keys}))

    async def result(self, key: str) -> Any:
        """Return the result that is stored under a job's key, or None."""
        result = await self._pool.fetchval(_READ_RESULT, key)
        return None if result is None else json.decode(result)

    async def store_result(self, key: str, result: Mapping[str, Any]) -> None:
        """Store a result under a job's key; `{"error": message}` makes `ask` raise FailedError."""
        await self._pool.execute(_STORE_RESULT, key, json.encode(result).decode())
        self._bus.publish(JobDone(key))

    async def count_waiting(self) -> dict[str, int]:
        """Return how many jobs of each kind no worker has claimed."""
        return {row["entrypoint"]: row["count"] for row in await self._pool.fetch(_COUNT_WAITING)}

    async def delete_old(self, *, older_than: float = _KEEP_RESULTS) -> None:
        """Delete results, and asked jobs that no worker has claimed, if they are older than some seconds.

        Who still waits for such a job adds it again. Computers' moves, and jobs that `add` has added once and
        for all, stay until a worker does them. PgQueuer's log is kept for a day, its statistics for 30
        days.
        """
        await self._pool.execute(_DELETE_OLD, older_than)

    async def bring_back(self) -> None:
        """Make jobs due that PostgreSQL's clock put off when it was set back: none waits for a minute."""
        await self._pool.execute(_BRING_BACK)

    @contextlib.contextmanager
    def _waiting(self, key: str, asker: Asker) -> Iterator[int]:
        """Count who waits for what, and yield the job's priority. Raise TooManyJobsError."""
        if self._asked[asker.name] >= MOST_ASKED:
            raise TooManyJobsError
        counts = ((self._asked, asker.name), (self._wanted, key))
        for counter, name in counts:
            counter[name] += 1
        try:
            yield 1 - self._asked[asker.name]
        finally:
            for counter, name in counts:
                counter[name] -= 1
                if not counter[name]:
                    del counter[name]

    async def _work(
        self,
        kind: str,
        key: str,
        payload: Mapping[str, Any],
        priority: int,
        asker: Asker,
        subscription: Subscription,
        within: float,
    ) -> Any:
        """Add a job and wait for its result. Raise BusyError."""
        deadline = time.monotonic() + within
        while (result := await self.result(key)) is None:
            remaining = deadline - time.monotonic()
            # Again each time: another process may have dropped the job that both wait for.
            await self._queries.enqueue(
                kind,
                json.encode(payload),
                priority,
                dedupe_key=key,
                headers={"key": key},
                on_conflict="skip",
            )
            self._bus.publish(JobAdded())
            if remaining <= 0 or await asker.is_gone():
                raise BusyError
            await _wait_for_event(subscription, min(remaining, _POLL_INTERVAL))
        return result


async def _wait_for_event(subscription: Subscription, seconds: float) -> None:
    """Wait at most some seconds for an event. Raise BusyError if the server is shutting down."""
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await subscription.get()
    except SubscriptionEnded:
        raise BusyError from None
