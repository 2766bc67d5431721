"""The workers that `gorrion serve` runs: started, replaced if they exit or hang, and stopped."""

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import structlog

from app.core.pulse import BEAT_EVERY, Pulse

log = structlog.get_logger()

_SETTLED_AFTER = 60.0  # seconds of life after which a worker that exits is restarted without a longer pause
_LONGEST_PAUSE = 60.0  # seconds before the restart of a worker that exits again and again
_STOP_WITHIN = 5.0  # seconds
_BEATS_WITHIN = 120.0  # seconds; on a busy machine a worker takes long to import what it needs

_COMMAND = (sys.executable, "-m", "app", "worker", "--until-input-ends", "--heartbeats-to")


@contextlib.contextmanager
def running_workers(count: int) -> Iterator[Callable[[], None]]:
    """Keep `count` workers running within this context, or until the function that it yields is called.

    They also stop if this process is killed, because that ends their standard input.
    """
    stopping = threading.Event()
    threads = [threading.Thread(target=_keep_running, args=(stopping,), daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield stopping.set
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def _keep_running(stopping: threading.Event) -> None:
    pause = BEAT_EVERY
    while not stopping.is_set():
        started = time.monotonic()
        _run_worker(stopping)
        is_settled = time.monotonic() - started > _SETTLED_AFTER
        pause = BEAT_EVERY if is_settled else min(2 * pause, _LONGEST_PAUSE)
        stopping.wait(pause)


def _run_worker(stopping: threading.Event) -> None:
    """Run a worker until it exits, hangs, or is to stop."""
    pulse = Pulse(first_within=_BEATS_WITHIN)
    try:
        worker = subprocess.Popen(  # noqa: S603 - our own command
            (*_COMMAND, str(pulse.descriptor)), stdin=subprocess.PIPE, pass_fds=[pulse.descriptor]
        )
        while worker.poll() is None and not stopping.wait(BEAT_EVERY):
            if pulse.has_stopped():
                log.error("worker_hangs", pid=worker.pid)
                worker.kill()
    finally:
        pulse.close()
    assert worker.stdin is not None
    worker.stdin.close()
    try:
        worker.wait(_STOP_WITHIN)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()
