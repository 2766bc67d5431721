"""Ends of the process: proxies are warned and connections closed first; a process ends with its parent."""

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

from app.core import shutdown

_SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextlib.contextmanager
def end_on_signal(
    warn: Callable[[], None], close: Callable[[], None], give_up: Callable[[], None], drain: float
) -> Iterator[None]:
    """Call `warn` when the process is asked to stop, and `close` before the web server waits for requests.

    After a SIGTERM the process goes on serving for `drain` seconds in between, unless a second signal comes.
    `give_up` is called when requests have been waited for long enough.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    is_asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal is_asked
        delay = drain if number == signal.SIGTERM and not is_asked else 0
        is_asked = True
        shutdown.begin(delay + shutdown.PROCESS_WITHIN)
        loop.call_soon_threadsafe(warn)
        loop.call_soon_threadsafe(loop.call_later, delay, end, number, frame)

    def end(number: int, frame: FrameType | None) -> None:
        close()
        loop.call_later(shutdown.ANSWERS_WITHIN, give_up)
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
    """Let a signal end the process whatever it waits for, until the function that this returns is called."""
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
