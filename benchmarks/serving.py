"""A temporary PostgreSQL and server for a benchmark."""

import argparse
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil

from app.core.database.embedded import EmbeddedPostgres
from app.core.database.migrate import upgrade
from app.core.settings import Settings
from tests.support.database import execute
from tests.support.server import Server, start_server


@contextlib.contextmanager
def database(**settings: str) -> Iterator[str]:
    """Yield the URL of an empty, migrated database; `settings` are PostgreSQL's."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        postgres = EmbeddedPostgres(Path(folder) / "data")
        url = postgres.start()
        if settings:
            for name, value in settings.items():
                execute(url, f"ALTER SYSTEM SET {name} = '{value}'")
            postgres.stop()
            postgres = EmbeddedPostgres(Path(folder) / "data")
            url = postgres.start()
        try:
            upgrade(url)
            yield url
        finally:
            postgres.stop()


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the folder of the database; see `kept_database`."""
    parser.add_argument("--data", type=Path, help="a folder for an embedded PostgreSQL, which is kept")


@contextlib.contextmanager
def kept_database(folder: Path | None) -> Iterator[str]:
    """Yield the URL of a migrated database that stays: that of a folder, or of GORRION_DATABASE_URL."""
    postgres = EmbeddedPostgres(folder) if folder else None
    url = postgres.start() if postgres else Settings().own_database_url
    if url is None:
        raise SystemExit("Set GORRION_DATABASE_URL, or say --data FOLDER.")
    try:
        upgrade(url)
        yield url
    finally:
        if postgres:
            postgres.stop()


@contextlib.contextmanager
def serving(*, workers: int = 1, computers: int = 0, **settings: str) -> Iterator[tuple[Server, str]]:
    """Yield a server with reduced logging, and the URL of its database."""
    with database() as url:
        server = start_server(url, workers=workers, computers=computers, log_level="warning", **settings)
        try:
            yield server, url
        finally:
            server.stop()


def web_processes(server: Server) -> list[psutil.Process]:
    """Return the processes that serve: the server's children without workers and trackers of resources."""
    children = psutil.Process(server.process.pid).children()
    return [child for child in children if "multiprocessing.forkserver" in " ".join(child.cmdline())]


def cpu_seconds(server: Server) -> float:
    """Return the CPU time that the web processes have used."""
    times = [process.cpu_times() for process in web_processes(server)]
    return sum(used.user + used.system for used in times)
