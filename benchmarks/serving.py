"""A temporary PostgreSQL and server for a benchmark."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from app.database.embedded import EmbeddedPostgres
from app.database.migrate import upgrade
from tests.support.server import Server, start_server


@contextlib.contextmanager
def database() -> Iterator[str]:
    """Yield the URL of an empty, migrated database."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        postgres = EmbeddedPostgres(Path(folder) / "data")
        url = postgres.start()
        try:
            upgrade(url)
            yield url
        finally:
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
