"""One process's connections to PostgreSQL: SQLAlchemy, and plain asyncpg for the path of a move."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine


class DurabilityError(RuntimeError):
    """PostgreSQL is set up so that it may forget what it has acknowledged."""


class Database:
    """The pools of one process. Make it with `Database.open`."""

    def __init__(self, engine: AsyncEngine, pool: "asyncpg.Pool[asyncpg.Record]", dsn: str) -> None:
        self.engine = engine
        self.pool = pool
        self.dsn = dsn
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)

    @classmethod
    async def open(cls, url: str, *, pool_size: int) -> "Database":
        """Connect to the PostgreSQL at `url`, `pool_size` connections a pool.

        Raises DurabilityError when fsync or synchronous_commit is off.
        """
        dsn = asyncpg_dsn(url)
        pool = await asyncpg.create_pool(dsn, min_size=1, max_size=pool_size)
        try:
            await _check_durability(pool)
        except BaseException:
            await pool.close()
            raise
        engine = create_async_engine(
            sqlalchemy_url(url), pool_size=pool_size, max_overflow=0, pool_pre_ping=True
        )
        return cls(engine, pool, dsn)

    async def close(self) -> None:
        """Give all connections back."""
        await self.engine.dispose()
        await self.pool.close()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Open a session in one transaction: committed at the end, rolled back on any error."""
        async with self._sessions.begin() as session:
            yield session

    async def ping(self) -> None:
        """Ask PostgreSQL for a sign of life. Raises what asyncpg raises when there is none."""
        await self.pool.fetchval("SELECT 1", timeout=3)


def sqlalchemy_url(url: str) -> str:
    """Name the asyncpg driver in a PostgreSQL URL: plain postgresql:// means another one to SQLAlchemy."""
    return make_url(url).set(drivername="postgresql+asyncpg").render_as_string(hide_password=False)


def asyncpg_dsn(url: str) -> str:
    """Take SQLAlchemy's driver name out of a PostgreSQL URL."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


async def _check_durability(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    for setting in ("fsync", "synchronous_commit"):
        value = await pool.fetchval("SELECT current_setting($1)", setting)
        if value == "off":
            raise DurabilityError(f"PostgreSQL has {setting} off: a move could be lost. Turn it on.")
