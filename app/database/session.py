"""The connections of one process to PostgreSQL: SQLAlchemy for most, plain asyncpg for moves."""

import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from app.database.pools import PagesPool, open_moves_pool

UNAVAILABLE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What asyncpg raises when PostgreSQL does not answer. Background tasks catch these and try again."""

APPLICATION = "gorrion"
"""The first word of the names under which PostgreSQL lists the connections."""
_LONGEST_NAME = 63  # bytes


class DurabilityError(RuntimeError):
    """PostgreSQL is configured so that it may lose committed transactions."""


class Database:
    """Two connection pools: `engine` for SQLAlchemy, `pool` for asyncpg. Create it with `Database.open`."""

    def __init__(self, engine: AsyncEngine, pool: "asyncpg.Pool[asyncpg.Record]", dsn: str) -> None:
        self.engine = engine
        self.pool = pool
        self.dsn = dsn
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)

    @classmethod
    async def open(cls, url: str, *, pool_size: int, role: str = "command") -> "Database":
        """Connect to the PostgreSQL at `url` with up to `pool_size` connections in each pool.

        PostgreSQL lists the connections under a name made of the role of this process, its id and its host.
        Raise DurabilityError if fsync or synchronous_commit is off.
        """
        dsn = asyncpg_dsn(url)
        name = f"{APPLICATION} {role} {os.getpid()} {socket.gethostname()}"
        settings = {"application_name": name[:_LONGEST_NAME]}
        pool = await open_moves_pool(dsn, pool_size, settings)
        try:
            await _check_durability(pool)
        except BaseException:
            await pool.close()
            raise
        engine = create_async_engine(
            sqlalchemy_url(url),
            connect_args={"server_settings": settings},
            poolclass=PagesPool,
            pool_size=pool_size,
            max_overflow=0,
            pool_pre_ping=True,
            hide_parameters=True,  # logs quote the errors
        )
        return cls(engine, pool, dsn)

    async def close(self) -> None:
        """Close all connections."""
        await self.engine.dispose()
        await self.pool.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Yield a session in one transaction: committed at the end, rolled back on any error."""
        async with self._sessions.begin() as session:
            yield session

    async def ping(self) -> None:
        """Check that PostgreSQL answers within 3 seconds. Raises one of `UNAVAILABLE` if it does not."""
        await self.pool.fetchval("SELECT 1", timeout=3)


def sqlalchemy_url(url: str) -> str:
    """Return a PostgreSQL URL that tells SQLAlchemy to use asyncpg, which is not its default driver."""
    return make_url(url).set(drivername="postgresql+asyncpg").render_as_string(hide_password=False)


def asyncpg_dsn(url: str) -> str:
    """Return a PostgreSQL URL without SQLAlchemy's driver name."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


async def _check_durability(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    for setting in ("fsync", "synchronous_commit"):
        value = await pool.fetchval("SELECT current_setting($1)", setting)
        if value == "off":
            raise DurabilityError(f"PostgreSQL has {setting} off, so it could lose moves. Turn it on.")
