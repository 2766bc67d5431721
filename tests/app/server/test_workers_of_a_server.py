"""How `gorrion serve` looks after the workers that it starts."""

import sys
import threading

from app.core import pulse
from app.server import serve
from tests.support.waiting import wait_until

SLOW = """
import os, pathlib, sys, time
time.sleep(1)
os.write(int(sys.argv[2]), b".")
pathlib.Path(sys.argv[1]).touch()
sys.stdin.read()
"""


def test_a_worker_that_begins_slowly_gets_more_time_at_each_try(monkeypatch, tmp_path):
    """Otherwise no worker would ever begin on a slow machine."""
    begun, stopping = tmp_path / "begun", threading.Event()
    monkeypatch.setattr(serve, "_COMMAND", (sys.executable, "-c", SLOW, str(begun)))
    for module, name in ((serve, "_BEATS_WITHIN"), (serve, "BEAT_EVERY"), (pulse, "BEAT_EVERY")):
        monkeypatch.setattr(module, name, 0.1)
    keeper = threading.Thread(target=serve._keep_running, args=(stopping,))
    keeper.start()
    try:
        wait_until(begun.exists)
    finally:
        stopping.set()
        keeper.join()


def test_a_worker_that_cannot_be_started_is_tried_again(monkeypatch, tmp_path):
    begun, python, stopping = tmp_path / "begun", tmp_path / "python", threading.Event()
    monkeypatch.setattr(serve, "_COMMAND", (str(python), "-c", SLOW, str(begun)))
    for module, name in ((serve, "BEAT_EVERY"), (pulse, "BEAT_EVERY")):
        monkeypatch.setattr(module, name, 0.1)
    keeper = threading.Thread(target=serve._keep_running, args=(stopping,))
    keeper.start()
    try:
        keeper.join(0.5)
        assert keeper.is_alive()
        python.symlink_to(sys.executable)
        wait_until(begun.exists)
    finally:
        stopping.set()
        keeper.join()
