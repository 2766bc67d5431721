"""The end of a process: proxies are warned and connections closed first, within one deadline for all steps.

A server that is asked to end first goes on serving for the time of GORRION_DRAIN. The times below, in
seconds, count from there. A process ends with its parent.
"""

import asyncio
import contextlib
import math
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from types import FrameType

import structlog

ANSWERS_WITHIN = 5.0
"""After this, what still waits for PostgreSQL is told that it is unavailable, so requests are answered."""
CANCELS_AFTER = 6
"""After this, requests that are not answered yet are cancelled."""
PROCESS_WITHIN = 8.0
"""After this, a web process or a worker that has not ended by itself ends at once."""
SERVER_WITHIN = 10.0
"""After this, the parent of the processes ends at once."""
_STEP_WITHIN = 0.5

log = structlog.get_logger()

_ends_at: float | None = None  # by the monotonic clock

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def begin(within: float) -> None:
    """Make this process end within so many seconds, whatever it waits for. Later calls change nothing."""
    global _ends_at  # noqa: PLW0603 - a process ends once
    if _ends_at is not None:
        return
    _ends_at = time.monotonic() + within
    timer = threading.Timer(within, _end_at_once)
    timer.daemon = True
    timer.start()


def left() -> float:
    """Return how many seconds this process has until it must end: endless ones if nobody asked it to end."""
    return math.inf if _ends_at is None else max(0.0, _ends_at - time.monotonic())


async def in_turn(*steps: Awaitable[object]) -> None:
    """Do the last steps of a process one after the other. One that takes too long is left behind."""
    for step in steps:
        task = asyncio.ensure_future(step)
        await asyncio.wait({task}, timeout=_STEP_WITHIN)
        if not task.done():
            task.cancel()
        elif not task.cancelled() and (error := task.exception()) is not None:
            log.warning("shutdown_step_failed", error=repr(error))


def _end_at_once() -> None:
    log.error("ended_at_once")
    os._exit(1)


@contextlib.contextmanager
def end_on_signal(
    warn: Callable[[], None], close: Callable[[], None], give_up: Callable[[], None], drain: float
) -> Iterator[None]:
    """Call `warn` when the process is asked to stop, and `close` before the web server waits for requests.

    After a SIGTERM the process goes on serving for `drain` seconds in between, unless a SIGINT comes. A
    second SIGTERM is the same stop, heard from the parent and from a service manager. `give_up` is called
    when requests have been waited for long enough.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    is_asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal is_asked
        if is_asked and number == signal.SIGTERM:
            return
        is_asked = True
        delay = drain if number == signal.SIGTERM else 0
        begin(delay + PROCESS_WITHIN)
        loop.call_soon_threadsafe(warn)
        loop.call_soon_threadsafe(loop.call_later, delay, end, number, frame)

    def end(number: int, frame: FrameType | None) -> None:
        close()
        loop.call_later(ANSWERS_WITHIN, give_up)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    for number in _SIGNALS:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def end_at_once_on_signal() -> Callable[[], None]:
    """End the process at once on a signal. Return a function that restores the handlers of before."""
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    before = {number: signal.signal(number, signal.SIG_DFL) for number in _SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    return restore


def end_with_parent() -> None:
    """End this process as soon as the one that started it is gone, even if that was killed.

    An orphan would keep the port, and nobody would restart it.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
