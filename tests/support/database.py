"""Test databases, single statements in them, and work of the application on them."""

import asyncio
import contextlib
import threading
from functools import partial

import asyncpg
from sqlalchemy import make_url

from app.core.database.session import DATABASE_ERRORS, Database
from tests.support.clock import CLOCK
from tests.support.threads import run_coroutine

# PgBouncer has no cache of statements. A server that hangs raises TimeoutError, so it can be asked again.
_connect = partial(asyncpg.connect, statement_cache_size=0, timeout=10, command_timeout=30)


@contextlib.asynccontextmanager
async def connected(database_url):
    """Open a connection for a block."""
    connection = await _connect(database_url)
    try:
        yield connection
    finally:
        await connection.close()


def execute(database_url, query, *values):
    """Execute one statement."""
    _on_connection(database_url, asyncpg.Connection.execute, query, *values)


def fetch(database_url, query, *values):
    """Return the first row of a query."""
    return _on_connection(database_url, asyncpg.Connection.fetchrow, query, *values)


def on_database(database_url, work):
    """Return what a function does with a `Database`, on an event loop in another thread."""

    async def run():
        async with Database.opened(database_url, pool_size=2) as database:
            return await work(database)

    return run_coroutine(run())


# The connection of the last statement: opening one takes ten times as long as most statements. It is the only
# one, because a database to which somebody is connected can be neither copied nor dropped.
_kept = {}
# It belongs to an event loop, which runs in a thread of its own.
_loop = asyncio.new_event_loop()
threading.Thread(target=_loop.run_forever, daemon=True).start()


def _on_connection(database_url, method, *arguments):
    async def run():
        connection = await _take(database_url)
        try:
            value = await method(connection, *arguments)
        except BaseException:
            await _close(connection)
            raise
        await _keep(database_url, connection)
        return value

    return asyncio.run_coroutine_threadsafe(run(), _loop).result()


async def _take(database_url):
    """Return a connection that works and that nobody else uses meanwhile."""
    if _kept:
        kept_url, connection = _kept.popitem()
        if kept_url == database_url and await _works(connection):
            return connection
        await _close(connection)
    return await _connect(database_url)


async def _keep(database_url, connection):
    if _kept:
        await _close(connection)
    else:
        _kept[database_url] = connection


async def _works(connection):
    with contextlib.suppress(*DATABASE_ERRORS):
        await connection.execute("SELECT 1")
        return True
    return False


async def _close(connection):
    try:
        await connection.close(timeout=1)
    except DATABASE_ERRORS:
        connection.terminate()


def create_database(postgres_url, name, *, template="template1"):
    """Create a database whose `now()` follows the tests' clock, empty or as a copy, and return its URL."""
    url = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
    execute(postgres_url, f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    run_coroutine(CLOCK.set_up(url))
    return url
