"""Commits whose answers were lost are noted, and no other statements."""

import asyncio

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.core.database.session import is_unavailable

WRITE = "UPDATE heartbeat SET correction = correction"
END_SESSION = f"WITH written AS ({WRITE}) SELECT pg_terminate_backend(pg_backend_pid())"

# What a deferred trigger does is done by the COMMIT.
DEFERRED = """
CREATE TEMPORARY TABLE last_words (said text) ON COMMIT DROP;

CREATE FUNCTION pg_temp.end_session() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';

CREATE CONSTRAINT TRIGGER ending AFTER INSERT ON last_words DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION pg_temp.end_session();

INSERT INTO last_words VALUES ('bye')
"""


async def fails(work):
    with pytest.raises(BaseException):  # noqa: B017, PT011 - a cancellation, too
        await work


async def test_a_write_whose_session_ends_is_in_doubt_until_it_is_settled(database):
    await fails(database.pool.execute(END_SESSION))
    assert database.doubts.exist.is_set()
    decided = await database.doubts.decided(database.pool)
    assert len(decided) == 1
    database.doubts.settle(decided)
    assert not database.doubts.exist.is_set()


async def test_a_write_that_takes_too_long_is_in_doubt(database):
    await fails(database.pool.execute(f"WITH written AS ({WRITE}) SELECT pg_sleep(60)", timeout=0.2))
    assert database.doubts.exist.is_set()


@pytest.mark.parametrize("values", [(), (1,)])
async def test_a_write_whose_connection_is_cut_off_is_in_doubt_and_fails_as_an_outage(database, values):
    statement = f"WITH written AS ({WRITE}) SELECT pg_sleep(60){', $1::int' if values else ''}"
    async with database.pool.acquire() as connection:
        writing = asyncio.create_task(connection.execute(statement, *values))
        await asyncio.sleep(0.5)
        connection.terminate()
        with pytest.raises(asyncpg.PostgresConnectionError) as raised:
            await writing
    assert is_unavailable(raised.value)
    assert database.doubts.exist.is_set()


async def test_a_commit_whose_session_ends_is_in_doubt(database):
    with pytest.raises(DBAPIError):
        async with database.transaction() as session:
            for statement in DEFERRED.split(";\n\n"):
                await session.execute(text(statement))
    assert database.doubts.exist.is_set()


async def test_what_postgresql_refuses_or_only_reads_is_not_in_doubt(database):
    await fails(database.pool.execute("UPDATE heartbeat SET nothing = 1"))
    await fails(database.pool.fetch("SELECT pg_terminate_backend(pg_backend_pid())"))
    await fails(database.pool.execute(WRITE, "a value too many"))
    with pytest.raises(DBAPIError):
        async with database.transaction() as session:
            await session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))
    assert not database.doubts.exist.is_set()


async def test_a_session_that_still_works_is_not_decided(database):
    async with database.pool.acquire() as connection, connection.transaction():
        database.doubts.note(connection.get_server_pid())
        assert await database.doubts.decided(database.pool) == set()
    assert len(await database.doubts.decided(database.pool)) == 1
