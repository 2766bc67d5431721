"""The workers that `gorrion serve` runs: started, restarted if they exit, and stopped."""

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

_POLL_EVERY = 1.0  # seconds
_SETTLED_AFTER = 60.0  # seconds of life after which a worker that exits is restarted without a longer pause
_LONGEST_PAUSE = 60.0  # seconds before the restart of a worker that exits again and again
_STOP_WITHIN = 5.0  # seconds

_COMMAND = (sys.executable, "-m", "app", "worker", "--until-input-ends")


@contextlib.contextmanager
def running_workers(count: int) -> Iterator[None]:
    """Keep `count` workers running within this context.

    They also stop if this process is killed, because that ends their standard input.
    """
    stopping = threading.Event()
    threads = [threading.Thread(target=_keep_running, args=(stopping,), daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def _keep_running(stopping: threading.Event) -> None:
    pause = _POLL_EVERY
    while not stopping.is_set():
        started = time.monotonic()
        worker = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE)  # noqa: S603 - our own command
        while worker.poll() is None and not stopping.wait(_POLL_EVERY):
            pass
        assert worker.stdin is not None
        worker.stdin.close()
        try:
            worker.wait(_STOP_WITHIN)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
        is_settled = time.monotonic() - started > _SETTLED_AFTER
        pause = _POLL_EVERY if is_settled else min(2 * pause, _LONGEST_PAUSE)
        stopping.wait(pause)
