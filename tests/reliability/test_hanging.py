"""A web process whose event loop hangs is replaced, whatever its other threads answer."""

import re
import signal
import textwrap

import psutil
import pytest

from tests.support import plain_http
from tests.support.server import start_server
from tests.support.waiting import WITHIN, wait_until

_HANG = """
    import ctypes, signal, time

    def compute(*_):
        while True:
            pass

    def wait(*_):
        while True:
            time.sleep(1)

    def keep_the_interpreter(*_):
        ctypes.PyDLL(None).pause()

    signal.signal(signal.SIGUSR1, {function})
"""
"""Makes the main thread of every process of Python hang after a signal."""


def web_processes(server):
    return {
        child
        for child in psutil.Process(server.process.pid).children()
        if child.status() != psutil.STATUS_ZOMBIE and "spawn_main" in " ".join(child.cmdline())
    }


def is_ready(server):
    with plain_http.Client() as client:
        return client.get(f"{server.url}/health/ready", timeout=WITHIN).status_code == 200


@pytest.mark.parametrize("function", ["compute", "wait", "keep_the_interpreter"])
def test_a_web_process_whose_event_loop_hangs_is_replaced(new_database, tmp_path, function):
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(_HANG.format(function=function)))
    log = tmp_path / "log"
    server = start_server(
        new_database(f"hanging_{function}"), log=log, preloads={"PYTHONPATH": str(tmp_path)}
    )
    try:
        (hanging,) = web_processes(server)
        hanging.send_signal(signal.SIGUSR1)
        wait_until(lambda: web_processes(server) - {hanging})
        wait_until(lambda: is_ready(server))
        assert re.search(rf"Timeout .*\n.*in {function}", log.read_text(), re.DOTALL)
    finally:
        server.stop()
