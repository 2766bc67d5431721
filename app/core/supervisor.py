"""The long-lived tasks of a process: kept running, whatever they raise."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from app.core.database.session import is_reported, is_unavailable

log = structlog.get_logger()

_FIRST_PAUSE = 0.1  # seconds before a task runs again; doubled at each failure
_LONGEST_PAUSE = 2.0  # seconds
_SETTLED_AFTER = 1.0  # seconds without a failure, after which a task counts as healthy
_GIVE_UP_AFTER = 60.0  # seconds of failures although the database answers
_LOOK_EVERY = 0.5  # seconds between two looks at a database that does not answer

Run = Callable[[], Awaitable[None]]
"""A task: runs until it is cancelled, or raises whatever stops it."""


class Engine:
    """A server on which tasks depend, such as the database."""

    def __init__(self, name: str, answers: Callable[[], Awaitable[bool]]) -> None:
        self.name = name
        self._gone, self._back = f"{name}_unavailable", f"{name}_available"  # in the log
        self._answers = answers
        self._looking = asyncio.Lock()
        self._available_since = 0.0

    async def wait(self, since: float, error: Exception) -> bool:
        """Wait until it answers, and return whether there was a moment since when it did not.

        The first task that notices logs it with its error, so an outage is one line in the log.
        """
        async with self._looking:
            if await self._answers():
                return self._available_since > since
            started = time.monotonic()
            log.error(self._gone, error=repr(error))
            while not await self._answers():  # noqa: ASYNC110 - nothing announces it
                await asyncio.sleep(_LOOK_EVERY)
            self._available_since = time.monotonic()
            log.warning(self._back, after=round(self._available_since - started, 1))
            return True


class Supervisor:
    """Runs the tasks of a process again whenever they fail.

    Failures while the database does not answer are the database's: the tasks wait for it. A task that fails
    for a minute although the database answers ends the process by `give_up`, so that its parent replaces it;
    not if the database says that it cannot do this at the moment, which another process could not change.
    Tasks that depend on another engine, without which the process goes on, wait for that one and never end
    the process.
    """

    def __init__(
        self,
        database_answers: Callable[[], Awaitable[bool]],
        give_up: Callable[[], object],
        *,
        give_up_after: float = _GIVE_UP_AFTER,
    ) -> None:
        self._database = Engine("database", database_answers)
        self._give_up = give_up
        self._give_up_after = give_up_after
        self._tasks: list[asyncio.Task[None]] = []
        self._failing: dict[str, Engine] = {}
        self._is_stopping = False

    @property
    def failing(self) -> frozenset[str]:
        """The names of the tasks that are not running, or have failed a moment ago."""
        return frozenset(name for name, engine in self._failing.items() if engine is self._database)

    @property
    def degraded(self) -> frozenset[str]:
        """The names of the engines without which the process goes on at the moment."""
        return frozenset(engine.name for engine in self._failing.values() if engine is not self._database)

    def keep(self, name: str, run: Run, engine: Engine | None = None) -> None:
        """Keep a task running until `stop`. If it depends on an engine, the process goes on without it."""
        self._tasks.append(asyncio.create_task(self._keep(name, run, engine or self._database), name=name))

    async def stop(self) -> None:
        """Cancel all tasks and wait for them."""
        self._is_stopping = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _keep(self, name: str, run: Run, engine: Engine) -> None:
        failing_since = 0.0
        pause = _FIRST_PAUSE
        while True:
            settled = asyncio.get_running_loop().call_later(_SETTLED_AFTER, self._failing.pop, name, None)
            try:
                await run()
                error: Exception = RuntimeError("the task returned")
            except Exception as raised:  # noqa: BLE001 - whatever it is, the task runs again
                error = raised
            finally:
                settled.cancel()
            if self._is_stopping:  # the task answered its cancellation with another exception
                return
            is_new = name not in self._failing
            self._failing[name] = engine
            try:
                was_away = await engine.wait(time.monotonic(), error)
            except Exception:
                log.exception("look_failed", engine=engine.name)
                was_away = False
            if is_new and not was_away:
                # A connection that broke needs no traceback.
                trace = None if is_unavailable(error) else error
                log.error("task_failed", task=name, error=repr(error), exc_info=trace)
            if is_new or was_away:
                failing_since, pause = time.monotonic(), _FIRST_PAUSE
            elif (
                engine is self._database
                and not is_reported(error)
                and time.monotonic() - failing_since > self._give_up_after
            ):
                log.critical("task_given_up", task=name, exc_info=error)
                self._give_up()
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
