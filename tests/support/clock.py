"""The clock of all servers and databases that a test process uses. It can be moved forward.

Importing this module sets the environment variable that `app.core.moments` reads, here and in the servers
that are started later. In each test database, functions that come before PostgreSQL's own read the same file.
"""

import atexit
import contextlib
import os
import tempfile
from datetime import timedelta
from pathlib import Path

import asyncpg
from sqlalchemy import make_url

from app.core.moments import CLOCK_FILE
from tests.support.threads import run_coroutine

_FUNCTIONS = """
CREATE OR REPLACE FUNCTION public.now() RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN pg_catalog.now() + pg_read_file('{file}')::bigint * interval '1 ms';
END $$;
CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    RETURN pg_catalog.clock_timestamp() + pg_read_file('{file}')::bigint * interval '1 ms';
END $$;
ALTER DATABASE "{database}" SET search_path = public, pg_catalog;
"""


class Clock:
    """A clock that only moves forward, so that stored moments are never in the future."""

    def __init__(self, path):
        self._path = path
        self._moved = 0  # milliseconds
        self._database_urls = []
        self._write()
        path.chmod(0o644)  # PostgreSQL may run as another user

    @property
    def moved(self):
        """Return by how much the clock has been moved."""
        return timedelta(milliseconds=self._moved)

    async def set_up(self, database_url):
        """Make a database follow this clock: an empty one, or a copy of one that does."""
        connection = await asyncpg.connect(database_url)
        name = make_url(database_url).database
        await connection.execute(_FUNCTIONS.format(file=self._path, database=name))
        await connection.close()
        self._database_urls.append(database_url)

    def advance(self, **duration):
        """Advance by a `timedelta` during which all servers are running."""
        run_coroutine(self._advance(timedelta(**duration)))

    def advance_during_downtime(self, **duration):
        """Advance by a `timedelta` during which no server is running."""
        self._move(timedelta(**duration))

    async def _advance(self, duration):
        async with contextlib.AsyncExitStack() as stack:
            connections = []
            # Most databases of a run belong to tests that have ended.
            for url in await _in_use(self._database_urls):
                connection = await asyncpg.connect(url)
                stack.push_async_callback(connection.close)
                if await connection.fetchval("SELECT to_regclass('heartbeat')"):
                    await stack.enter_async_context(connection.transaction())
                    # No server compares its last heartbeat with a clock that has moved since.
                    await connection.execute("LOCK heartbeat, processes IN ACCESS EXCLUSIVE MODE")
                    connections.append(connection)
            self._move(duration)
            for connection in connections:
                await connection.execute("UPDATE heartbeat SET beat_at = clock_timestamp()")
                await connection.execute("UPDATE processes SET beat_at = clock_timestamp()")

    def _move(self, duration):
        self._moved += duration // timedelta(milliseconds=1)
        self._write()

    def _write(self):
        # Written in one piece and always of one length: readers keep the file mapped into memory.
        with self._path.open("r+b", buffering=0) as file:
            file.write(f"{self._moved:020}".encode())


async def _in_use(urls):
    """Return those of some databases of one PostgreSQL that a server or test is connected to."""
    if not urls:
        return []
    names = {make_url(url).database: url for url in urls}
    connection = await asyncpg.connect(urls[0], database="postgres")
    query = "SELECT DISTINCT datname FROM pg_stat_activity WHERE datname = ANY($1)"
    found = await connection.fetch(query, list(names))
    await connection.close()
    return [names[row["datname"]] for row in found]


def _new_file():
    handle, name = tempfile.mkstemp(prefix="gorrion-clock-")
    os.close(handle)
    os.environ[CLOCK_FILE] = name
    atexit.register(Path(name).unlink)
    return Path(name)


CLOCK = Clock(_new_file())
