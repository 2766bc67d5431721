"""The connections of one process to PostgreSQL: SQLAlchemy for most, plain asyncpg for moves."""

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar
from weakref import WeakSet

import asyncpg
import structlog
from sqlalchemy import event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker, create_async_engine

from app.core.database import once
from app.core.database.in_doubt import Doubts, TrackedConnection
from app.core.database.pools import ACQUIRE_WITHIN, EXECUTE_WITHIN, MovesPool, PagesPool, check_open
from app.core.database.readers import Readers
from app.core.database.replica import Replica
from app.core.database.sqlstates import is_outage
from app.core.errors import OperatorError

log = structlog.get_logger()

P = ParamSpec("P")
T = TypeVar("T")

_ANSWER_WITHIN = 1.0  # seconds
_CLOSE_WITHIN = 2.0  # seconds
_COMMAND_WITHIN = 60.0  # seconds for a statement of a command, or of a sample
AGAIN_AFTER = 0.5  # seconds until what needs PostgreSQL is tried again
_PREPARED_STATEMENTS = 100  # that each connection keeps, and SQLAlchemy as many of it

# A message in the log is allowed while PostgreSQL is read-only; deleting, even nothing, is not.
_COMMIT_SOMETHING = """
WITH nothing AS (DELETE FROM heartbeat WHERE false)
SELECT pg_logical_emit_message(true, 'gorrion', '')
"""

DATABASE_ERRORS = (
    OSError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    DBAPIError,
    PoolTimeoutError,
)
"""Everything that a statement may raise. `is_unavailable` tells outages from mistakes."""

APPLICATION = "gorrion"
"""The first word of the names under which PostgreSQL lists the connections."""
_LONGEST_NAME = 63  # bytes


def cause_of(error: Exception) -> BaseException:
    """Return the error of asyncpg that SQLAlchemy has wrapped, or the error itself."""
    return (error.orig and error.orig.__cause__) or error if isinstance(error, DBAPIError) else error


def is_reported(error: Exception) -> bool:
    """Return whether PostgreSQL itself says that it cannot work at the moment."""
    sqlstate: str | None = getattr(cause_of(error), "sqlstate", None)
    return sqlstate is not None and is_outage(sqlstate)


def is_unavailable(error: Exception) -> bool:
    """Return whether an error means that PostgreSQL cannot be reached, or cannot work at the moment."""
    cause = cause_of(error)
    if getattr(cause, "sqlstate", None) is not None:
        return is_reported(error)
    is_bad_value = isinstance(cause, ValueError)  # asyncpg: the value does not fit the column's type
    return isinstance(cause, DATABASE_ERRORS) and not is_bad_value


class DurabilityError(OperatorError):
    """PostgreSQL is configured so that it may lose committed transactions."""


class EncodingError(OperatorError):
    """The database cannot store every text."""


class Patience:
    """Bears with outages; the first one is logged with its reason."""

    def __init__(self) -> None:
        self._is_logged = False

    def bear(self, error: Exception) -> None:
        """Return if PostgreSQL is unavailable; raise any other error."""
        if not is_unavailable(error):
            raise error
        if not self._is_logged:
            log.warning("database_unavailable", error=repr(error))
        self._is_logged = True


async def patiently(work: Callable[[], Awaitable[T]]) -> T:
    """Return what some work returns, as soon as PostgreSQL is available."""
    patience = Patience()
    while True:
        try:
            return await work()
        except DATABASE_ERRORS as error:
            patience.bear(error)
            await asyncio.sleep(AGAIN_AFTER)


class Database:
    """Two connection pools: `engine` for SQLAlchemy, `pool` for asyncpg. Create it with `Database.open`.

    `direct_dsn` is for connections that have a state, such as LISTEN, which no pooler may share out. `doubts`
    are about the commits of both pools.
    """

    def __init__(
        self, engine: AsyncEngine, readers: Readers, pool: MovesPool, direct_dsn: str, doubts: Doubts
    ) -> None:
        self.engine = engine
        self.pool = pool
        self.direct_dsn = direct_dsn
        self.doubts = doubts
        self.replica: Replica | None = None
        self._connections: WeakSet[asyncpg.Connection[asyncpg.Record]] = WeakSet()
        event.listen(engine.sync_engine, "connect", self._note)
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)
        self._readers = readers

    @classmethod
    async def open(
        cls, url: str, *, pool_size: int, role: str = "command", direct_url: str | None = None
    ) -> "Database":
        """Connect to the PostgreSQL at `url` with up to `pool_size` connections in each pool.

        With a `direct_url`, `url` may be that of a pooler of transactions. PostgreSQL lists the connections
        under a name made of the role of this process, its id and its host. Raise DurabilityError if fsync,
        full_page_writes or synchronous_commit is off, and EncodingError if the encoding is not UTF8.
        """
        database = await cls._connected(url, pool_size, role, direct_url)
        try:
            await _check_settings(database.pool)
        except BaseException:
            await database.close()
            raise
        return database

    @classmethod
    @asynccontextmanager
    async def opened(cls, url: str, *, pool_size: int, role: str = "command") -> AsyncIterator["Database"]:
        """Connect as `open` does, and close all connections at the end of the context."""
        database = await cls.open(url, pool_size=pool_size, role=role)
        try:
            yield database
        finally:
            await database.close()

    async def add_replica(self, url: str, *, pool_size: int, most_behind: float) -> Replica:
        """Read from the replica at `url` (see `reading`) whenever it is at most so many seconds behind.

        It need not answer yet. `Replica.follow` must run.
        """
        self.replica = Replica(await self._connected(url, pool_size, "web", url), most_behind)
        return self.replica

    @classmethod
    async def _connected(cls, url: str, pool_size: int, role: str, direct_url: str | None) -> "Database":
        name = f"{APPLICATION} {role} {os.getpid()} {socket.gethostname()}"
        settings = {"application_name": name[:_LONGEST_NAME]}
        # A pooler gives each transaction another connection, which lacks the statements of this one.
        statements = 0 if direct_url not in (None, url) else _PREPARED_STATEMENTS
        direct_dsn = asyncpg_dsn(direct_url or url)
        doubts = Doubts()
        pool = await MovesPool(
            asyncpg_dsn(url),
            pool_size,
            settings,
            doubts,
            direct_dsn=direct_dsn,
            prepared_statements=statements,
        )
        engine = create_engine(
            url,
            connect_args={
                "async_creator_fn": partial(TrackedConnection.open, doubts),
                "server_settings": settings,
                "timeout": ACQUIRE_WITHIN,
                "command_timeout": EXECUTE_WITHIN,
                "statement_cache_size": statements,
                "prepared_statement_cache_size": statements,
            },
            poolclass=PagesPool,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=ACQUIRE_WITHIN,
            pool_use_lifo=True,  # the connection that was used last knows most statements
            hide_parameters=True,  # logs quote the errors
        )
        event.listen(engine.sync_engine, "checkout", check_open)
        return cls(engine, Readers(engine, is_pooled=not statements), pool, direct_dsn, doubts)

    def _note(self, connection: Any, _record: object) -> None:
        self._connections.add(connection.driver_connection)

    async def close(self) -> None:
        """Close all connections, by force if PostgreSQL does not answer."""
        if self.replica is not None:
            await self.replica.database.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_CLOSE_WITHIN):
                await self._readers.close()
                await asyncio.gather(self.pool.close(), self.engine.dispose(), return_exceptions=True)
        self.cut()

    def cut(self) -> None:
        """Close all connections by force. Whatever needs PostgreSQL, now or later, finds it unavailable."""
        if self.replica is not None:
            self.replica.database.cut()
        self.pool.terminate()
        for connection in list(self._connections):
            connection.terminate()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Yield a session in one transaction: committed at the end, rolled back on any error.

        Raise DoneBeforeError if the request that is being answered has been carried out before.
        """
        async with once.claiming() as claim, self._sessions.begin() as session:
            await claim(session)
            yield session

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncSession]:
        """Yield a session for reading, all of whose statements see the same rows.

        It claims no key, since reading carries out nothing that was requested.
        """
        async with self._sessions.begin() as session:
            await session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            yield session

    def reading_now(self) -> AbstractAsyncContextManager[AsyncSession]:
        """Return the context of a session for reading what is committed.

        Each statement is a transaction of its own, as it sees other rows than the one before it anyway: that
        saves the round trips for BEGIN and COMMIT. Writing raises RuntimeError.
        """
        return self._readers.session()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Yield a session for reading, on the replica if the request may see what is a little old there."""
        async with contextlib.AsyncExitStack() as stack:
            session = await self._session_of_replica(stack)
            if session is None:
                session = await stack.enter_async_context(self.reading_now())
            yield session

    async def _session_of_replica(self, stack: contextlib.AsyncExitStack) -> AsyncSession | None:
        if self.replica is None or not self.replica.is_usable:
            return None
        try:
            return await stack.enter_async_context(self.replica.database.reading_now())
        except DATABASE_ERRORS:
            self.replica.give_up()
            return None

    async def check(self) -> None:
        """Commit something to the disk that is stored nowhere. Raise an exception if that fails."""
        await self.pool.execute(_COMMIT_SOMETHING)

    async def answers(self) -> bool:
        """Return whether PostgreSQL lets a new connection commit something within a second."""
        try:
            async with asyncio.timeout(_ANSWER_WITHIN), self.pool.direct() as connection:
                await connection.execute(_COMMIT_SOMETHING)
        except Exception:  # noqa: BLE001 - whatever it is, this is no answer
            return False
        return True


class _Service(Protocol):
    _database: Database


_Query = Callable[Concatenate[AsyncSession, P], Awaitable[T]]
_Read = Callable[Concatenate[_Service, P], Coroutine[Any, Any, T]]


def reads_now(query: _Query[P, T]) -> _Read[P, T]:
    """Return the method of a service that carries out a query in a session of `Database.reading_now`."""
    return _reads(query, Database.reading_now)


def reads(query: _Query[P, T]) -> _Read[P, T]:
    """Return the method of a service that carries out a query in a session of `Database.reading`."""
    return _reads(query, Database.reading)


def _reads(
    query: _Query[P, T], begin: Callable[[Database], AbstractAsyncContextManager[AsyncSession]]
) -> _Read[P, T]:
    @wraps(query)
    async def read(service: _Service, /, *args: P.args, **kwargs: P.kwargs) -> T:
        async with begin(service._database) as session:  # noqa: SLF001 - this is a method of the service
            return await query(session, *args, **kwargs)

    return read


def create_engine(url: str, *, connect_args: Mapping[str, Any] | None = None, **options: Any) -> AsyncEngine:
    """Return SQLAlchemy's engine for the PostgreSQL at `url`.

    asyncpg reads the URL, as for all other connections: SQLAlchemy would pass options such as `sslmode` on by
    names that asyncpg does not know.
    """
    arguments = {"dsn": asyncpg_dsn(url), **(connect_args or {})}
    return create_async_engine("postgresql+asyncpg://", connect_args=arguments, **options)


def asyncpg_dsn(url: str) -> str:
    """Return a PostgreSQL URL without SQLAlchemy's driver name."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


@asynccontextmanager
async def connected(
    url: str, *, within: float | None = _COMMAND_WITHIN
) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    """Open a connection of asyncpg to the database at `url`, for a command of an operator or a sample.

    A statement that takes longer than `within` seconds raises TimeoutError.
    """
    connection = await asyncpg.connect(asyncpg_dsn(url), timeout=10, command_timeout=within)
    try:
        yield connection
    finally:
        with contextlib.suppress(TimeoutError):  # it is closed all the same
            await connection.close(timeout=_CLOSE_WITHIN)


async def _check_settings(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    for setting in ("fsync", "full_page_writes", "synchronous_commit"):
        value = await pool.fetchval("SELECT current_setting($1)", setting)
        if value == "off":
            raise DurabilityError(f"PostgreSQL has {setting} off, so it could lose moves. Turn it on.")
    encoding = await pool.fetchval("SELECT current_setting('server_encoding')")
    if encoding != "UTF8":
        raise EncodingError(
            f"The database has the encoding {encoding}, which lacks characters that players write."
            " Make one with `createdb --encoding UTF8 --template template0`."
        )
