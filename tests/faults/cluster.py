"""What the fault tests break: a PostgreSQL of their own, and web servers on it."""

import contextlib
import os
import shutil
import signal
import subprocess
from functools import partial

import asyncpg
import httpx
import psutil
import pytest
from sqlalchemy import make_url

from app.core.database.embedded import EmbeddedPostgres
from app.core.database.migrate import upgrade
from tests.support import plain_http
from tests.support.database import execute, fetch
from tests.support.ports import free_port
from tests.support.server import start_computer, start_server
from tests.support.threads import run_in_thread
from tests.support.waiting import wait_until


def installed(program):
    """Return the path of a program, or None if it is not installed."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")


def needs(program, package):
    """Skip the test, saying which Debian package to install, unless a program is installed."""
    found = installed(program)
    if found is None:
        pytest.skip(f"{program} is not installed: `apt-get install {package}` runs this test, too")
    return found


_PGBOUNCER = """
[databases]
gorrion = host=127.0.0.1 port={postgres} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 200
server_login_retry = 1
"""


class FakeTime:
    """The clock of one process, which tests may put forward and back while it runs."""

    def __init__(self, folder):
        self._file = folder / "offset"
        self.step(0)
        preloaded = subprocess.run(
            [needs("faketime", "faketime"), "-m", "-f", "+0", "printenv", "LD_PRELOAD"],
            check=True,
            capture_output=True,
            text=True,
        )
        self.environment = {
            "LD_PRELOAD": preloaded.stdout.strip(),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",  # seconds
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def step(self, seconds):
        self._file.write_text(f"{seconds:+}\n")


class Postgres:
    """A PostgreSQL that tests may kill, stop, pause and cut."""

    def __init__(self, data, binaries):
        self.data = data
        self.binaries = binaries
        self.user = data.owner() if os.geteuid() == 0 else None  # PostgreSQL does not run as root
        self.port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/gorrion"
        self.process = None

    @classmethod
    def create(cls, folder):
        """Return a PostgreSQL, not started yet, with a migrated database in a folder."""
        embedded = EmbeddedPostgres(folder)
        run_in_thread(upgrade, embedded.start())
        binaries = embedded._server.bin_path
        embedded.stop()
        return cls(folder / "postgres", binaries)

    def recovering(self, folder):
        """Return another PostgreSQL, not started yet, for a copy of the data of this one while it ran."""
        (folder / "postgres" / "postmaster.pid").unlink()
        return Postgres(folder / "postgres", self.binaries)

    def replica(self, slot):
        """Return a streaming replica, not started yet, of this PostgreSQL while it runs, for a new slot."""
        folder = self.data.with_name(f"replica-{free_port()}")
        folder.mkdir(mode=0o700)
        if self.user is not None:
            shutil.chown(folder, self.user)
        self.run(
            *("pg_basebackup", "--pgdata", folder, "--write-recovery-conf", "--checkpoint", "fast"),
            *("--create-slot", "--slot", slot),
            *("--host", "127.0.0.1", "--port", str(self.port), "--username", "postgres"),
        )
        return Postgres(folder, self.binaries)

    def execute(self, query):
        """Execute one statement."""
        execute(self.url, query)

    @contextlib.contextmanager
    def read_only(self):
        """Refuse to write within the block, as on a full disk or before a standby is promoted."""
        writing = f"{self.url}?default_transaction_read_only=off"
        execute(writing, "ALTER SYSTEM SET default_transaction_read_only = on")
        execute(writing, "SELECT pg_reload_conf()")
        try:
            yield
        finally:
            execute(writing, "ALTER SYSTEM RESET default_transaction_read_only")
            execute(writing, "SELECT pg_reload_conf()")

    def start(self, **environment):
        """Start it, and wait until it answers. The processes of a killed one may take a moment to end."""
        wait_until(lambda: self._starts(environment))

    def stop(self):
        """Stop it: it closes all connections first."""
        wait_until(self.answers)  # asked while it recovers from a crash, PostgreSQL 18 may never end
        self._end(signal.SIGINT)

    def kill(self):
        self._end(signal.SIGKILL)

    def _end(self, how):
        self.process.send_signal(how)
        self.process.wait(30)

    def crash(self):
        """Kill the process of one connection: PostgreSQL ends all the others and recovers from its log."""
        wait_until(self.answers)
        _, *children = self.processes()
        wait_until(self._kill_connection)  # after the last fault, the server's may not be back yet
        _, running = psutil.wait_procs(children, timeout=30)
        assert not running  # PostgreSQL has noticed, and answers only when it has recovered

    def _kill_connection(self):
        """Kill the process of one connection, and return whether there was one: any may have just ended."""
        for pid in self.backends():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                return True
        return False

    def pause(self):
        for process in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess):  # a connection has just ended
                process.suspend()

    def resume(self):
        for process in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.resume()

    def processes(self):
        """Return the postmaster and its children."""
        postmaster = psutil.Process(self.process.pid)
        return [postmaster, *postmaster.children()]

    def backends(self, last_query="%"):
        """Return the process ids of the connections, except our own, whose last query is like a pattern."""
        query = (
            "SELECT array_agg(pid) AS pids FROM pg_stat_activity"
            " WHERE datname = 'gorrion' AND pid <> pg_backend_pid() AND query LIKE $1"
        )
        return fetch(self.url, query, last_query)["pids"] or []

    def listeners(self):
        """Return the process ids of the connections that carry the bus."""
        return self.backends("LISTEN %") + self.backends("%pg_notify(%")

    def cut(self, pids=None):
        """End connections from PostgreSQL's side: these, or all."""
        wait_until(self.answers)
        for pid in self.backends() if pids is None else pids:
            execute(self.url, "SELECT pg_terminate_backend($1)", pid)

    def new_database(self, name):
        """Create an empty database and return its URL."""
        execute(self.url, f'CREATE DATABASE "{name}"')
        return make_url(self.url).set(database=name).render_as_string(hide_password=False)

    def run(self, program, *arguments):
        """Run one of PostgreSQL's programs, such as pg_dump, as its user."""
        subprocess.run([self.binaries / program, *arguments], check=True, user=self.user, cwd="/")

    def _starts(self, environment):
        self.process = subprocess.Popen(
            [self.binaries / "postgres", "-D", self.data, "-h", "127.0.0.1", "-p", str(self.port), "-k", ""],
            env={**os.environ, **environment},
            user=self.user,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return wait_until(lambda: self.process.poll() is not None or self.answers()) and self.answers()

    def answers(self):
        with contextlib.suppress(OSError, asyncpg.PostgresError):
            return fetch(self.url, "SELECT 1")
        return None

    def close(self):
        if self.process.poll() is None:
            self.resume()
            self.stop()


class PgBouncer:
    """A PgBouncer in transaction mode, with so many connections to a PostgreSQL."""

    def __init__(self, postgres, connections):
        self.port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/gorrion"
        self.process = None
        self._user = postgres.user
        self._file = postgres.data.with_name(f"pgbouncer-{self.port}.ini")
        self._file.write_text(
            _PGBOUNCER.format(postgres=postgres.port, port=self.port, connections=connections)
        )

    def start(self):
        """Start it, and wait until PostgreSQL answers through it."""
        self.process = subprocess.Popen(
            [needs("pgbouncer", "pgbouncer"), "-q", self._file],
            user=self._user,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._answers)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def close(self):
        self.process.terminate()
        self.process.wait(10)

    def _answers(self):
        with contextlib.suppress(OSError, asyncpg.PostgresError):
            return fetch(self.url, "SELECT 1")
        return None


class Web:
    """A `gorrion serve` that tests may kill, pause and stop, and start again on its port."""

    def __init__(self, database_url, log, *, workers=1, **settings):
        self._options = {
            "database_url": database_url,
            "log": log,
            "workers": workers,
            "bus": "postgres",
            "clock_file": "",  # the real clock
            **settings,
        }
        self.port = free_port()
        self.log = log
        self._server = None

    @property
    def process(self):
        return self._server.process

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self):
        return f"ws://127.0.0.1:{self.port}"

    def start(self):
        self._server = start_server(port=self.port, **self._options)

    def stop(self):
        """Stop it as a deployment does, and return the seconds that it took."""
        return self._server.stop()

    def kill(self):
        self._server.kill()

    def pause(self):
        for process in self.processes():
            process.suspend()

    def resume(self):
        for process in self.processes():
            process.resume()

    def processes(self):
        """Return the process that tests start, and the web processes that it has started."""
        return [psutil.Process(self.process.pid), *self.children()]

    def children(self):
        """Return its web processes."""
        return [child for child in psutil.Process(self.process.pid).children() if _serves(child)]

    def is_ready(self):
        """Return whether it says that it can serve players."""
        with contextlib.suppress(httpx.TransportError):
            return plain_http.get(f"{self.url}/health/ready", timeout=5).status_code == 200
        return False

    def repair(self):
        """Start it again if it does not work, so that one failed test does not make others fail."""
        try:
            wait_until(self.is_ready)
        except AssertionError:
            self.kill()
            self.start()

    def close(self):
        if self._server is not None and self.process.poll() is None:
            self.resume()
            self.stop()


class Worker:
    """A `gorrion worker` that tests may kill and start again."""

    def __init__(self, database_url, **settings):
        self.process = None
        self._start = partial(start_computer, database_url, **settings)

    def start(self):
        """Start it; it needs some seconds until it plays."""
        self.process = self._start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    close = kill


def _serves(process):
    """Return whether a child of a server is alive, and not a helper of Python's multiprocessing."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE and "resource_tracker" not in " ".join(
            process.cmdline()
        )
    except psutil.NoSuchProcess:
        return False
