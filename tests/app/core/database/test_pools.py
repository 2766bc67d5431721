"""Connections to PostgreSQL: replaced when it has closed them, and used only for reading."""

import asyncio

import pytest
from sqlalchemy import delete, select, text, update

from app.core.database.session import Database
from app.people.identity.models import Account

CUT = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid = ANY($1::int[])"
PID = "SELECT pg_backend_pid()"


async def pids(database):
    async with database.transaction() as session:
        return [await database.pool.fetchval(PID), await session.scalar(text(PID))]


async def test_closed_connections_are_replaced_and_others_are_used_again(database_url):
    database, other = [await Database.open(database_url, pool_size=1) for _ in range(2)]
    try:
        before = await pids(database)
        assert await pids(database) == before
        await other.pool.execute(CUT, before)
        await asyncio.sleep(0.1)  # until the connections have noticed that PostgreSQL has closed them
        assert not set(await pids(database)) & set(before)
    finally:
        await database.close()
        await other.close()


async def test_a_session_for_reading_refuses_to_write_and_to_lock(database_url):
    database = await Database.open(database_url, pool_size=1)
    account = select(Account).limit(1)
    try:
        async with database.reading_now() as session:
            await session.scalars(account)
            for statement in (
                account.with_for_update(),
                update(Account).values(username="x"),
                delete(Account),
            ):
                with pytest.raises(RuntimeError, match="only reads"):
                    await session.execute(statement)
            session.add(Account(username="x"))
            with pytest.raises(RuntimeError, match="only reads"):
                await session.flush()
            session.expunge_all()
    finally:
        await database.close()
