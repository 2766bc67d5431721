"""Test databases, and single statements in them."""

import contextlib

import asyncpg
from sqlalchemy import make_url

from tests.support.clock import CLOCK
from tests.support.threads import run_coroutine


@contextlib.asynccontextmanager
async def connected(database_url):
    """Open a connection for a block."""
    connection = await asyncpg.connect(database_url, statement_cache_size=0)  # PgBouncer has none
    try:
        yield connection
    finally:
        await connection.close()


def execute(database_url, query, *values):
    """Execute one statement."""

    async def run():
        async with connected(database_url) as connection:
            await connection.execute(query, *values)

    run_coroutine(run())


def fetch(database_url, query, *values):
    """Return the first row of a query."""

    async def run():
        async with connected(database_url) as connection:
            return await connection.fetchrow(query, *values)

    return run_coroutine(run())


def create_database(postgres_url, name, *, template="template1"):
    """Create a database whose `now()` follows the tests' clock, empty or as a copy, and return its URL."""
    url = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)

    async def run():
        async with connected(postgres_url) as connection:
            await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        await CLOCK.set_up(url)

    run_coroutine(run())
    return url
