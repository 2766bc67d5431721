"""The heartbeat of a web process or a worker, by which it is known to hang.

It comes from the event loop, so it stops when the process is stopped and when anything keeps the interpreter
busy for ever, such as a search in compiled code.
"""

import asyncio
import contextlib
import faulthandler
import os

HANGS_AFTER = 15
"""Seconds without a heartbeat after which a process hangs."""
BEAT_EVERY = 1.0
"""Seconds between two heartbeats."""


async def beat(descriptor: int | None) -> None:
    """Send heartbeats through a pipe, if there is one, until cancelled.

    If the event loop stands still for HANGS_AFTER seconds, a thread that needs no interpreter prints where
    all threads are, and ends the process.
    """
    try:
        while True:
            faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
            if descriptor is not None:
                with contextlib.suppress(OSError):  # nobody listens any more, or not just now
                    os.write(descriptor, b".")
            await asyncio.sleep(BEAT_EVERY)
    finally:
        faulthandler.cancel_dump_traceback_later()


class Pulse:
    """A pipe through which the parent of a process hears its heartbeats."""

    def __init__(self, *, first_within: float) -> None:
        self._reading, self.descriptor = os.pipe()
        for end in (self._reading, self.descriptor):
            os.set_blocking(end, False)
        self._looks_left = first_within / BEAT_EVERY
        self.has_begun = False

    def has_stopped(self) -> bool:
        """Return whether the process hangs; to be called every BEAT_EVERY seconds.

        Looks are counted and not seconds: this process may have stood still itself.
        """
        self._looks_left -= 1
        with contextlib.suppress(BlockingIOError):
            if os.read(self._reading, 1024):
                self._looks_left = HANGS_AFTER / BEAT_EVERY
                self.has_begun = True
        return self._looks_left < 0

    def close(self) -> None:
        """Close both ends."""
        os.close(self._reading)
        os.close(self.descriptor)
