"""Doing the work: one job at a time, again and again, until told to stop."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import asyncpg
import structlog

from app.events import JOBS
from app.jobs.queue import Job, Queue
from app.realtime.hub import GOING_AWAY, Hub, SubscriptionEnded

log = structlog.get_logger()

Handler = Callable[[Job], Awaitable[Mapping[str, Any]]]
"""Does a job and gives its result. Whatever it raises has the job tried again."""

LEASE = 8.0
"""Seconds for which a claim holds unless it is renewed: how soon a dead worker's job is taken over."""

_ATTEMPTS = 5
_RETRY_AFTER = 0.2  # seconds, the more the more often it failed
_LOOK_EVERY = 1.0  # seconds; announcements may be lost
_KEEP_RESULTS = 600.0  # seconds
_TROUBLE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)


class Worker:
    """A worker of one process."""

    def __init__(self, queue: Queue, hub: Hub, handlers: Mapping[str, Handler]) -> None:
        self._queue = queue
        self._hub = hub
        self._handlers = handlers

    async def run(self) -> None:
        """Claim and do jobs until the hub closes."""
        while True:
            with self._hub.subscribe(JOBS) as subscription:
                try:
                    while True:
                        await self._do_all()
                        with contextlib.suppress(TimeoutError):
                            async with asyncio.timeout(_LOOK_EVERY):
                                await subscription.get()
                except SubscriptionEnded as ended:
                    # During a long job more may be announced than is listened to; then listen anew.
                    if ended.code == GOING_AWAY:
                        return

    async def _do_all(self) -> None:
        """Do what there is to do."""
        try:
            while (job := await self._queue.claim(LEASE)) is not None:
                await self._do(job)
            await self._queue.forget(older_than=_KEEP_RESULTS)
        except _TROUBLE as error:
            log.warning("queue_lost", error=repr(error))

    async def _do(self, job: Job) -> None:
        if job.kind not in self._handlers:
            log.error("job_unknown", key=job.key, kind=job.kind)
            await self._queue.finish(job, {"error": "This server cannot do that (any more)."})
            return
        if job.attempts > _ATTEMPTS:
            # Whoever claimed it so often was killed by it.
            log.error("job_given_up", key=job.key, attempts=job.attempts)
            await self._queue.finish(job, {"error": "The computer could not work this out."})
            return
        renewal = asyncio.create_task(self._renew(job))
        try:
            result = await self._handlers[job.kind](job)
        except _TROUBLE:
            raise
        except Exception:
            log.exception("job_failed", key=job.key, attempt=job.attempts)
            await self._queue.give_back(job, after=_RETRY_AFTER * job.attempts)
        else:
            await self._queue.finish(job, result)
        finally:
            renewal.cancel()

    async def _renew(self, job: Job) -> None:
        """Keep the claim to a job for as long as it takes."""
        while True:
            await asyncio.sleep(LEASE / 4)
            with contextlib.suppress(*_TROUBLE):
                await self._queue.give_back(job, after=LEASE)
