"""Pools of connections replace those that PostgreSQL has closed."""

import asyncio

from sqlalchemy import text

from app.database.session import Database

CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY($1::int[])"
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
        await asyncio.sleep(0.1)  # until the connections have noticed
        assert not set(await pids(database)) & set(before)
    finally:
        await database.close()
        await other.close()
