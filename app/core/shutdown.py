"""How long a process takes to end, once it is asked to: one deadline that all its steps share.

A server that is asked to end first goes on serving for the time of GORRION_DRAIN. The times below, in
seconds, count from there.
"""

import asyncio
import math
import os
import threading
import time
from collections.abc import Awaitable

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
