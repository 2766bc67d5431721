"""Waiting for PostgreSQL."""

import asyncio
import contextlib

import asyncpg
import pytest
from sqlalchemy import make_url, text

from app.core.database.session import Database, connected, is_unavailable, patiently


async def test_work_is_tried_again_while_postgresql_is_unavailable(database_url):
    database = await Database.open(database_url, pool_size=1)
    attempts = 0

    async def work():
        nonlocal attempts
        attempts += 1
        async with database.transaction() as session:
            if attempts == 1:
                await session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
            return await session.scalar(text("SELECT 7"))

    try:
        assert await patiently(work) == 7
        assert attempts == 2
    finally:
        await database.close()


async def test_work_with_a_mistake_is_not_tried_again(database_url):
    database = await Database.open(database_url, pool_size=1)

    async def work():
        async with database.transaction() as session:
            await session.execute(text("SELECT nothing"))

    try:
        with pytest.raises(Exception, match="nothing"):
            await patiently(work)
    finally:
        await database.close()


def test_a_transaction_that_was_idle_too_long_is_an_outage():
    assert is_unavailable(asyncpg.IdleInTransactionSessionTimeoutError())


async def test_a_connection_of_a_command_waits_for_no_statement_for_ever(database_url):
    async with connected(database_url, within=0.1) as connection:
        with pytest.raises(TimeoutError):
            await connection.execute("SELECT pg_sleep(60)")
        assert await connection.fetchval("SELECT 1") == 1


async def test_a_connection_to_a_database_that_is_gone_is_left_in_time(database_url):
    async with (
        asyncio.timeout(30),
        proxy(database_url) as (url, fall_silent),
        connected(url, within=0.1) as connection,
    ):
        fall_silent()
        with pytest.raises(TimeoutError):
            await connection.execute("SELECT 1")


@contextlib.asynccontextmanager
async def proxy(database_url):
    """Yield a URL that leads to a database, until the function that is yielded as well is called."""
    to = make_url(database_url)
    file = f"{to.query['host']}/.s.PGSQL.{to.query.get('port', 5432)}"
    passing, writers, silent = [], [], asyncio.Event()

    async def accept(reader, writer):
        writers.append(writer)
        if silent.is_set():
            return
        other_reader, other_writer = await asyncio.open_unix_connection(file)
        writers.append(other_writer)
        for source, target in ((reader, other_writer), (other_reader, writer)):
            passing.append(asyncio.create_task(pass_on(source, target)))

    def fall_silent():
        silent.set()
        for task in passing:
            task.cancel()

    async with await asyncio.start_server(accept, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield to.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False), fall_silent
        fall_silent()
        for writer in writers:
            writer.transport.abort()
        await asyncio.gather(*passing, *(each.wait_closed() for each in writers), return_exceptions=True)


async def pass_on(source, target):
    while data := await source.read(65_536):
        target.write(data)
