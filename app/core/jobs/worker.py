"""Doing jobs: one at a time, until the worker is stopped."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import structlog
from pgqueuer import Queries, QueueManager, RetryRequested
from pgqueuer.db import AsyncpgPoolDriver
from pgqueuer.domain.models import TableChangedEvent, utc_now
from pgqueuer.domain.settings import db_settings
from pgqueuer.models import Job as ClaimedJob
from pgqueuer.models import TracebackRecord

from app.core import json, metrics
from app.core.database.session import is_unavailable
from app.core.database.unreadable import UnreadableError
from app.core.events import Event, Resync
from app.core.i18n.text import _
from app.core.jobs.events import JOBS
from app.core.jobs.queue import COMPUTER_MOVE, Queue
from app.core.realtime.hub import Hub

if TYPE_CHECKING:
    import asyncpg
    from pgqueuer.domain.types import JOB_STATUS
    from pgqueuer.ports.driver import NotifyCallback

log = structlog.get_logger()

Jobs = Mapping[str, Callable[..., Awaitable[Mapping[str, Any]]]]
"""What does the jobs of each kind, given the job first and then the parts that it is annotated with."""

LEASE = 7.0
"""Seconds without a heartbeat after which a worker counts as dead; others take its job within 1 s of that."""

_POLL_INTERVAL = 1.0  # seconds; events may be lost
MOST_ATTEMPTS = 5
"""How often a job is tried. A computer's move is tried until it is made."""
_RETRY_DELAY = 0.2  # seconds, times the number of attempts
_DATABASE_RETRY_DELAY = 1.0  # seconds

_LONGEST_MOVE = 15.0  # seconds; a search for a move takes five at most
_LONGEST = 300.0  # seconds of any other job

_ATTEMPTS = "SELECT count(*) FROM pgqueuer_log WHERE job_id = $1 AND status = 'picked'"


class HubDriver(AsyncpgPoolDriver):
    """PgQueuer's access to PostgreSQL, with the hub instead of LISTEN and NOTIFY.

    PgQueuer's trigger would send a NOTIFY in every transaction that adds a job, a player's move included,
    and PostgreSQL lets transactions that notify commit only one after the other. `JobAdded` is published
    after the commit and wakes PgQueuer just as well.
    """

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]", hub: Hub) -> None:
        super().__init__(pool)
        self._hub = hub
        self._callbacks: list[NotifyCallback] = []

    async def notify(self, channel: str, payload: str) -> None:  # noqa: ARG002 - there is one channel
        """Pass a message to the listeners of this process."""
        for callback in self._callbacks:
            callback(payload)

    async def add_listener(self, channel: str, callback: "NotifyCallback") -> None:  # noqa: ARG002
        """Wake a listener whenever jobs are added."""
        self._hub.listen(self._on_event, (JOBS,))
        self._callbacks.append(callback)

    async def __aexit__(self, *exception: object) -> None:
        self._hub.ignore(self._on_event, (JOBS,))
        self._callbacks.clear()
        await super().__aexit__(*exception)

    def wake(self) -> None:
        """Make PgQueuer look for jobs now."""
        event = TableChangedEvent(
            channel=db_settings().channel,
            sent_at=utc_now(),
            type="table_changed_event",
            operation="insert",
            table=db_settings().queue_table,
        ).model_dump_json()
        for callback in self._callbacks:
            callback(event)

    def _on_event(self, _event: Event | Resync) -> None:
        self.wake()


@dataclass(frozen=True, slots=True)
class Job:
    """A job that a worker has claimed; `attempts` counts the claims, this one included."""

    payload: Mapping[str, Any]
    attempts: int


Handler = Callable[[Job], Awaitable[Mapping[str, Any]]]
"""Does a job and returns its result. If it raises an exception, the job is tried again."""


class Worker:
    """Does the jobs of the kinds that `handlers` names, those of the highest priority first."""

    def __init__(
        self,
        pool: "asyncpg.Pool[asyncpg.Record]",
        queue: Queue,
        hub: Hub,
        handlers: Mapping[str, Handler],
        *,
        lease: float = LEASE,
    ) -> None:
        self._pool = pool
        self._queue = queue
        self._hub = hub
        self._handlers = handlers
        self._lease = timedelta(seconds=lease)
        self._stopping = asyncio.Event()
        self.stopped = asyncio.Event()
        self._current: tuple[str, float] | None = None  # the kind of a job, and when it must be done

    def hanging(self) -> str | None:
        """Return the kind of the current job if it takes far longer than such a job can take, or None."""
        if self._current is None:
            return None
        kind, due_at = self._current
        return kind if time.monotonic() > due_at else None

    def stop(self) -> None:
        """Stop `run` as soon as the current job is done."""
        self._stopping.set()

    async def run(self) -> None:
        """Do jobs until `stop` is called; then `stopped` is set. Raise an exception if PostgreSQL is lost."""
        try:
            await self._manager().run(
                dequeue_timeout=timedelta(seconds=_POLL_INTERVAL),
                batch_size=1,
                heartbeat_timeout=self._lease,
            )
        finally:
            if self._stopping.is_set():
                self.stopped.set()

    def _manager(self) -> QueueManager:
        manager = _OneAtATime(_Queries(HubDriver(self._pool, self._hub)))
        manager.shutdown = self._stopping
        for kind, handler in self._handlers.items():
            manager.entrypoint(kind)(self._doing(handler))
        return manager

    def _doing(self, handler: Handler) -> Callable[[ClaimedJob], Awaitable[None]]:
        async def do(claimed: ClaimedJob) -> None:
            longest = _LONGEST_MOVE if claimed.entrypoint == COMPUTER_MOVE else _LONGEST
            while True:
                self._current = claimed.entrypoint, time.monotonic() + longest
                try:
                    return await self._do(handler, claimed)
                except Exception as error:
                    if not is_unavailable(error):
                        raise
                    # PgQueuer cannot record a failure now either, so the claim is kept.
                    log.warning("job_waits_for_database", job=claimed.id, error=repr(error))
                finally:
                    self._current = None
                await asyncio.sleep(_DATABASE_RETRY_DELAY)

        return do

    async def _do(self, handler: Handler, claimed: ClaimedJob) -> None:
        """Do a job and store its result, unless that is stored already. Raise RetryRequested if it fails."""
        key = (claimed.headers or {}).get("key")
        # An asker who looked just before the result was stored has added the job once more.
        if key is not None and await self._queue.result(str(key)) is not None:
            return
        # PgQueuer counts only the retries that were asked for, its log also the claims of killed workers.
        attempts = await self._pool.fetchval(_ATTEMPTS, claimed.id)
        job = Job(json.decode(claimed.payload or b"{}"), attempts)
        if attempts > MOST_ATTEMPTS and claimed.entrypoint != COMPUTER_MOVE:
            log.error("job_given_up", job=claimed.id, kind=claimed.entrypoint, attempts=attempts)
            outcome = "given_up"
            result: Mapping[str, Any] = {"error": _("The computer could not work this out.")}
        else:
            outcome = "done"
            try:
                result = await handler(job)
            except UnreadableError as error:  # the operators know, and trying again would not help
                outcome, result = "failed", {"error": error.message}
            except Exception as error:
                if is_unavailable(error):
                    raise
                metrics.JOBS.labels(claimed.entrypoint, "failed").inc()
                log.exception("job_failed", job=claimed.id, kind=claimed.entrypoint, attempt=attempts)
                raise RetryRequested(timedelta(seconds=_RETRY_DELAY * attempts), repr(error)) from error
        if key is not None:
            await self._queue.store_result(str(key), result)
        metrics.JOBS.labels(claimed.entrypoint, outcome).inc()


class _OneAtATime(QueueManager):
    """Claims a job only when no other is being done: a search keeps a core busy by itself."""

    def fetch_jobs(
        self,
        batch_size: int,
        global_concurrency_limit: int | None,  # noqa: ARG002 - `run` allows no less than twice the batch
        heartbeat_timeout: timedelta,
    ) -> AsyncGenerator[ClaimedJob, None]:
        return super().fetch_jobs(batch_size, 1, heartbeat_timeout)


class _Queries(Queries):
    """Looks for the next job as soon as one is done."""

    driver: HubDriver

    async def log_jobs(
        self, job_status: "list[tuple[ClaimedJob, JOB_STATUS, TracebackRecord | None]]"
    ) -> None:
        await super().log_jobs(job_status)
        self.driver.wake()
