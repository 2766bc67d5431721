"""Waiting for PostgreSQL."""

import asyncpg
import pytest
from sqlalchemy import text

from app.core.database.session import Database, is_unavailable, patiently


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
