"""Real server and worker processes on a real PostgreSQL."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from app.core.database.embedded import EmbeddedPostgres
from app.core.database.migrate import upgrade
from tests.support import plain_http
from tests.support.launching import LITTLE_MEMORY, Command
from tests.support.players import Program
from tests.support.ports import free_port
from tests.support.waiting import WITHIN, wait_until

_START_WITHIN = 180  # seconds
_COMPUTER_WITHIN = 180  # seconds


@dataclass
class Server:
    """A running `gorrion serve`; `log` is the file that it logs to."""

    process: Command
    port: int
    database_url: str
    log: Path | None = None

    @property
    def url(self):
        return f"http://localhost:{self.port}"

    @property
    def ws_url(self):
        return f"ws://localhost:{self.port}"

    def stop(self):
        """Ask it to stop, wait, and return the seconds that it took."""
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            self.process.wait()
        return time.monotonic() - started

    def kill(self):
        """Kill it, and wait until its web processes, which keep its port, have noticed and ended."""
        with contextlib.suppress(psutil.NoSuchProcess):
            children = psutil.Process(self.process.pid).children()
            self.process.kill()
            self.process.wait()
            psutil.wait_procs(children, WITHIN)


def start_server(database_url, *, workers=1, computers=0, log=None, port=None, preloads=None, **settings):
    """Start a server and wait until it is ready.

    `workers` is the number of web processes. `computers` is the number of workers that it starts itself, as
    new programs: they need seconds more. `preloads` are variables that only the loader of a program reads.
    """
    port = port or free_port()
    ours = {
        **os.environ,
        "GORRION_DATABASE_URL": database_url,
        "GORRION_THROTTLE": "off",
        "GORRION_PASSWORD_MEMORY": LITTLE_MEMORY,
        "GORRION_RECURRING_COMPETITIONS": "off",
        "GORRION_RECURRING_ARENAS": "[]",
        "GORRION_DATABASE_POOL": "5",  # many servers share one PostgreSQL
        **{f"GORRION_{name.upper()}": value for name, value in settings.items()},
    }
    arguments = ("serve", "--port", str(port), "--workers", str(workers), "--computers", str(computers))
    start = _in_a_new_program if preloads else Command
    process = start(arguments, {**ours, **(preloads or {})}, str(log or os.devnull))
    server = Server(process, port, database_url, log)
    try:
        wait_until_ready(server, process.poll)
    except AssertionError:
        server.stop()
        raise
    return server


@contextlib.contextmanager
def site_of_its_own(**settings):
    """Run a server with a PostgreSQL of its own, whose clock is the machine's."""
    with tempfile.TemporaryDirectory() as folder:
        postgres = EmbeddedPostgres(Path(folder))
        url = postgres.start()
        upgrade(url)
        server = start_server(url, **settings)
        try:
            yield server
        finally:
            server.stop()
            postgres.stop()


def wait_until_ready(server, poll):
    """Wait until a server that is being started is ready. `poll` returns None as long as it runs."""
    deadline = time.monotonic() + _START_WITHIN
    while time.monotonic() < deadline:
        assert poll() is None, "the server stopped while it started"
        with contextlib.suppress(httpx.TransportError):
            if plain_http.get(f"{server.url}/health/ready").status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("the server did not become ready")


def _in_a_new_program(arguments, environment, log):
    with Path(log).open("w") as stderr:
        return subprocess.Popen(
            [sys.executable, "-m", "app", *arguments],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )


def wait_for_computer(server):
    """Wait until the computer has made a move: its workers run at a low priority."""
    player = Program(server)
    game = player.challenge(opponent="Gorrion-1", side="white").json()["game_id"]
    wait_until(lambda: player.snapshot(game)["ply"] > 0, within=_COMPUTER_WITHIN)


def compile_searches():
    """Compile the searches into their cache: workers would take longer, at their low priority."""
    code = (
        "from engine.search import computer\n"
        "from engine.search.levels import BEST\n"
        "from engine.search.nugget import solver\n"
        "computer.get_ready(BEST); solver.get_ready()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def start_computer(database_url, *, log=os.devnull, **settings):
    """Start a `gorrion worker`, which plays for the computers once it is ready, with its log in a file."""
    environment = {
        **os.environ,
        "GORRION_DATABASE_URL": database_url,
        **{f"GORRION_{name.upper()}": value for name, value in settings.items()},
    }
    Path(log).touch()  # tests may read it before the process opens it
    return Command(("worker",), environment, str(log))
