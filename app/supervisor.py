"""The workers that `gorrion serve` runs beside itself: started, restarted when they die, ended with it."""

import contextlib
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

_LOOK_EVERY = 1.0  # seconds
_SETTLED = 60.0  # seconds after which a worker is no longer new
_LONGEST_PAUSE = 60.0  # seconds before one is started again that dies as soon as it lives
_END_WITHIN = 5.0  # seconds

_COMMAND = (sys.executable, "-m", "app", "worker", "--until-input-ends")


@contextlib.contextmanager
def running(count: int) -> Iterator[None]:
    """Keep so many workers running. They end with this process however it ends: their input ends then."""
    stopping = threading.Event()
    keepers = [threading.Thread(target=_keep, args=(stopping,), daemon=True) for _ in range(count)]
    for keeper in keepers:
        keeper.start()
    try:
        yield
    finally:
        stopping.set()
        for keeper in keepers:
            keeper.join()


def _keep(stopping: threading.Event) -> None:
    pause = _LOOK_EVERY
    while not stopping.is_set():
        started = time.monotonic()
        worker = subprocess.Popen(_COMMAND, stdin=subprocess.PIPE)  # noqa: S603 - our own command
        while worker.poll() is None and not stopping.wait(_LOOK_EVERY):
            pass
        assert worker.stdin is not None
        worker.stdin.close()
        try:
            worker.wait(_END_WITHIN)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
        is_settled = time.monotonic() - started > _SETTLED
        pause = _LOOK_EVERY if is_settled else min(2 * pause, _LONGEST_PAUSE)
        stopping.wait(pause)
