"""Connection pools that measure how long their users wait for a connection."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import asyncpg
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry

from app.core import metrics
from app.core.database.in_doubt import Doubts, TrackedConnection

if TYPE_CHECKING:
    _Pool = asyncpg.Pool[asyncpg.Record]
else:
    _Pool = asyncpg.Pool

_OF_MOVES = metrics.POOL_SECONDS.labels("moves")
_OF_PAGES = metrics.POOL_SECONDS.labels("pages")


ACQUIRE_WITHIN = 5.0  # seconds to get a connection from a pool, or from PostgreSQL
EXECUTE_WITHIN = 10.0  # seconds that a statement may take


class MovesPool(_Pool):
    """A pool of asyncpg's connections, in which nobody waits forever. Await it to open it.

    There are at most `size`, each with some settings of PostgreSQL, which lists them under `name`. Each keeps
    so many prepared statements, and notes doubts. Behind a pooler of transactions they have no state;
    `direct` opens one that has, at `direct_dsn`.
    """

    def __init__(
        self,
        dsn: str,
        size: int,
        settings: dict[str, str],
        doubts: Doubts,
        *,
        direct_dsn: str,
        prepared_statements: int,
    ) -> None:
        # asyncpg.create_pool makes no subclass; these are its defaults.
        super().__init__(
            dsn,
            min_size=0,
            max_size=size,
            max_queries=50_000,
            max_inactive_connection_lifetime=300,
            connect=partial(TrackedConnection.open, doubts),
            setup=None,
            init=None,
            reset=_keep_state,
            loop=None,
            connection_class=TrackedConnection,
            record_class=asyncpg.Record,
            server_settings=settings,
            timeout=ACQUIRE_WITHIN,
            command_timeout=EXECUTE_WITHIN,
            statement_cache_size=prepared_statements,
        )
        self.name = settings["application_name"]
        self._direct_dsn = direct_dsn
        self._settings = settings

    @asynccontextmanager
    async def direct(self, **settings: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
        """Open a connection with some settings of PostgreSQL, past the pooler if there is one."""
        connection = await asyncpg.connect(
            self._direct_dsn,
            server_settings={**self._settings, **settings},
            timeout=ACQUIRE_WITHIN,
            command_timeout=EXECUTE_WITHIN,
        )
        try:
            yield connection
        finally:
            connection.terminate()

    def acquire(self, *, timeout: float | None = ACQUIRE_WITHIN) -> Any:
        """Wait for a connection. Raise TimeoutError if there is none in time."""
        return super().acquire(timeout=timeout)

    async def _acquire(self, timeout: float | None) -> Any:  # noqa: ASYNC109 - asyncpg's signature
        with _OF_MOVES.time():
            return await super()._acquire(timeout)  # type: ignore[misc]  # not in the stubs


async def _keep_state(_connection: "asyncpg.Connection[asyncpg.Record]") -> None:
    """Leave a returned connection as it is: nobody changes its state, which a pooler could not keep either.

    By default asyncpg resets it, which takes a round trip after each statement.
    """


class PagesPool(AsyncAdaptedQueuePool):
    """A pool of SQLAlchemy's connections.

    `waiting` is how many wait for one. The pool calls `when_exhausted` if all are in use.
    """

    waiting = 0
    when_exhausted: Callable[[], None] | None = None

    def _do_get(self) -> ConnectionPoolEntry:
        if self.when_exhausted is not None and self.checkedout() >= self.size():
            self.when_exhausted()
        self.waiting += 1
        try:
            with _OF_PAGES.time():
                return super()._do_get()
        finally:
            self.waiting -= 1


def check_open(connection: Any, _entry: ConnectionPoolEntry, _proxy: Any) -> None:
    """Raise DisconnectionError if a connection was closed meanwhile, so that SQLAlchemy's pool replaces it.

    The event loop knows that without asking PostgreSQL, for which SQLAlchemy's ping takes three round trips.
    """
    if connection.driver_connection.is_closed():
        raise DisconnectionError
