"""The migrations build exactly the tables of the models, and each can be undone."""

import asyncio
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.ext.asyncio import create_async_engine

from app.database.base import Base
from app.database.migrate import config, is_ours, upgrade
from app.database.session import Database, DurabilityError, sqlalchemy_url


def on_connection(url, function):
    async def run():
        engine = create_async_engine(sqlalchemy_url(url))
        async with engine.connect() as connection:
            result = await connection.run_sync(function)
        await engine.dispose()
        return result

    return asyncio.run(run())


def test_upgrading_makes_the_models_and_downgrading_leaves_nothing(empty_database):
    url = empty_database("migrations")
    for _ in range(2):
        upgrade(url)
        upgrade(url)
        difference = on_connection(
            url,
            lambda connection: compare_metadata(
                MigrationContext.configure(connection, opts={"include_name": is_ours}), Base.metadata
            ),
        )
        assert difference == []
        command.downgrade(config(url), "base")
        tables = on_connection(url, lambda connection: inspect(connection).get_table_names())
        assert tables == ["alembic_version"]


def test_the_names_of_the_files_are_in_the_order_of_the_chain():
    scripts = ScriptDirectory.from_config(config("unused"))
    chain = [Path(script.path).name for script in scripts.walk_revisions()]
    assert chain == sorted(chain, reverse=True)
    assert len(set(chain)) == len(chain)


def test_a_postgresql_that_may_lose_commits_is_refused(empty_database):
    url = empty_database("forgetful")

    async def run():
        engine = create_async_engine(sqlalchemy_url(url), isolation_level="AUTOCOMMIT")
        async with engine.connect() as connection:
            name = await connection.scalar(text("SELECT current_database()"))
            await connection.execute(text(f'ALTER DATABASE "{name}" SET synchronous_commit = off'))
        await engine.dispose()
        with pytest.raises(DurabilityError):
            await Database.open(url, pool_size=1)

    asyncio.run(run())
