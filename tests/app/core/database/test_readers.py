"""Sessions for reading: they keep their connections, and nothing else."""

import asyncio
import os
import signal

import pytest
from sqlalchemy import bindparam, func, select, text, update

from app.core.database.session import reads, reads_now
from app.people.identity.models import Account

CUT = "SELECT pg_terminate_backend($1, 10000)"
PID = text("SELECT pg_backend_pid()")
SLEEP = select(func.pg_sleep(bindparam("seconds")))
A_WHILE = 0.1  # seconds


@pytest.fixture
def pool_size():
    """Return that all sessions share a single connection."""
    return 1


async def read(database, query=PID, values=None):
    async with database.reading_now() as session:
        return await session.scalar(query, values)


async def test_a_connection_is_kept_and_given_to_whom_needs_it(database):
    first = await read(database)
    assert await read(database) == first
    async with database.transaction() as session:
        assert await session.scalar(PID) == first
        reading = asyncio.create_task(read(database))
        await asyncio.sleep(A_WHILE)
        assert not reading.done()
    assert await reading == first


async def test_who_waits_for_a_connection_gets_the_one_that_a_reader_leaves(database):
    async def write():
        async with database.transaction() as session:
            return await session.scalar(PID)

    async with database.reading_now() as session:
        first = await session.scalar(PID)
        writing = asyncio.create_task(write())
        await asyncio.sleep(A_WHILE)
        assert not writing.done()
    assert await writing == first


async def test_nothing_that_was_read_is_kept(database):
    async with database.transaction() as session:
        session.add(Account(username="before"))
    account = select(Account).where(Account.username.in_(("before", "after")))
    known = await read(database, account)
    async with database.transaction() as session:
        await session.execute(update(Account).where(Account.id == known.id).values(username="after"))
    async with database.reading_now() as session:
        assert (await session.get_one(Account, known.id)).username == "after"
    assert known.username == "before"  # and it can still be looked at


async def test_a_session_that_failed_is_not_used_again(database):
    async with database.reading_now() as session:
        first = session
    with pytest.raises(ZeroDivisionError):
        async with database.reading_now() as session:
            assert session is first
            raise ZeroDivisionError
    async with database.reading_now() as session:
        assert session is not first
        assert await session.scalar(PID)


async def test_a_connection_that_was_closed_is_replaced(database):
    first = await read(database)
    await database.pool.execute(CUT, first)
    await asyncio.sleep(A_WHILE)
    assert await read(database) != first


@pytest.mark.parametrize("is_heard", [True, False])
async def test_nobody_waits_for_a_read_that_was_cancelled(database, is_heard):
    first = await read(database)
    for _time in range(2):  # from the second time on, asyncpg executes it
        await read(database, SLEEP, {"seconds": 0})
    reading = asyncio.create_task(read(database, SLEEP, {"seconds": 60}))
    await asyncio.sleep(A_WHILE)
    if not is_heard:
        os.kill(first, signal.SIGSTOP)
    try:
        reading.cancel()
        await asyncio.wait([reading])
        assert reading.cancelled()
        assert (await read(database) == first) == is_heard
    finally:
        os.kill(first, signal.SIGCONT)


async def test_services_declare_reads_by_their_queries(database):
    async def twice(session, number, *, plus=0):
        """Return twice a number."""
        return await session.scalar(text(f"SELECT {number} * 2 + {plus}"))

    class Service:
        double = reads(twice)
        double_now = reads_now(twice)

        def __init__(self):
            self._database = database

    assert await Service().double(3) == 6
    assert await Service().double_now(3, plus=1) == 7
    assert Service.double.__doc__ == "Return twice a number."
