"""Alembic's environment: every table of the application, one PostgreSQL."""

import asyncio

from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

import app.games.models
import app.identity.models
import app.jobs.models
import app.lobby.models
import app.nugget.models
import app.ratings.models
import app.realtime.models
import app.scores.models
import app.solitaire.models
from app.database.base import Base
from app.database.migrate import is_ours
from app.database.session import sqlalchemy_url
from app.settings import Settings

_LOCK = 7_301_953  # an arbitrary number: who migrates first makes the others wait


def _migrate(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=Base.metadata, include_name=is_ours)
    with context.begin_transaction():
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        context.run_migrations()


async def _connect_and_migrate(url: str) -> None:
    engine = create_async_engine(sqlalchemy_url(url), poolclass=NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(_migrate)
    await engine.dispose()


url = context.config.attributes.get("url") or Settings().database_url
if url is None:
    raise SystemExit("Set GORRION_DATABASE_URL to the database to migrate.")
asyncio.run(_connect_and_migrate(url))
