"""The connections of one process to PostgreSQL: SQLAlchemy for most, plain asyncpg for moves."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import structlog
from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from app.database.pools import ACQUIRE_WITHIN, EXECUTE_WITHIN, PagesPool, open_moves_pool

log = structlog.get_logger()

_ANSWER_WITHIN = 1.0  # seconds
_CLOSE_WITHIN = 2.0  # seconds
_OPEN_AGAIN_AFTER = 0.5  # seconds

DATABASE_ERRORS = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    DBAPIError,
    PoolTimeoutError,
)
"""Everything that a statement may raise. `is_unavailable` tells outages from mistakes."""

# SQLSTATE classes: connection, resources, object not ready, operator's intervention, system error.
_OUTAGES = ("08", "53", "55", "57", "58")


def is_unavailable(error: Exception) -> bool:
    """Return whether an error means that PostgreSQL cannot be reached, or cannot work at the moment."""
    cause = (error.orig and error.orig.__cause__) or error if isinstance(error, DBAPIError) else error
    sqlstate: str | None = getattr(cause, "sqlstate", None)
    if sqlstate is not None:
        return sqlstate.startswith(_OUTAGES)
    is_bad_value = isinstance(cause, ValueError)  # asyncpg: the value does not fit the column's type
    return isinstance(cause, DATABASE_ERRORS) and not is_bad_value


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
            connect_args={
                "server_settings": settings,
                "timeout": ACQUIRE_WITHIN,
                "command_timeout": EXECUTE_WITHIN,
            },
            poolclass=PagesPool,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=ACQUIRE_WITHIN,
            pool_pre_ping=True,
            hide_parameters=True,  # logs quote the errors
        )
        return cls(engine, pool, dsn)

    @classmethod
    async def open_patiently(cls, url: str, *, pool_size: int, role: str) -> "Database":
        """Do what `open` does, as soon as PostgreSQL is available."""
        is_logged = False
        while True:
            try:
                return await cls.open(url, pool_size=pool_size, role=role)
            except DATABASE_ERRORS as error:
                if not is_unavailable(error):
                    raise
                if not is_logged:
                    log.warning("database_unavailable", error=repr(error))
                is_logged = True
                await asyncio.sleep(_OPEN_AGAIN_AFTER)

    async def close(self) -> None:
        """Close all connections, by force if PostgreSQL does not answer."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_CLOSE_WITHIN):
                await self.pool.close()
                await self.engine.dispose()
        self.pool.terminate()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Yield a session in one transaction: committed at the end, rolled back on any error."""
        async with self._sessions.begin() as session:
            yield session

    async def answers(self) -> bool:
        """Return whether PostgreSQL answers within a second."""
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                connection = await asyncpg.connect(self.dsn)
                try:
                    await connection.fetchval("SELECT 1")
                finally:
                    connection.terminate()
        except Exception:  # noqa: BLE001 - whatever it is, this is no answer
            return False
        return True


def sqlalchemy_url(url: str) -> str:
    """Return a PostgreSQL URL that tells SQLAlchemy to use asyncpg, which is not its default driver."""
    return make_url(url).set(drivername="postgresql+asyncpg").render_as_string(hide_password=False)


def asyncpg_dsn(url: str) -> str:
    """Return a PostgreSQL URL without SQLAlchemy's driver name."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


async def _check_durability(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        value = await pool.fetchval("SELECT current_setting($1)", setting)
        if value == "off":
            raise DurabilityError(f"PostgreSQL has {setting} off, so it could lose moves. Turn it on.")
