"""Commits in doubt: the answer never came, so nobody knows whether PostgreSQL carried them out.

Every connection of a process notes them, whatever was committed; `app.core.realtime.doubts` tells readers.
"""

import asyncio
import re
from typing import TYPE_CHECKING, Any, Self

import asyncpg

if TYPE_CHECKING:
    from asyncpg import Record

    _Connection = asyncpg.Connection[Record]
else:
    _Connection = asyncpg.Connection

# Any other statement of a transaction is undone with it; those that only read change nothing.
_COMMITS = re.compile(r"\b(COMMIT|INSERT|UPDATE|DELETE)\b", re.IGNORECASE)

# The connection, or the session at its other end, is gone; or PostgreSQL says that it does not know.
_UNKNOWN_OUTCOME = ("08", "40003", "57P")

_RUNNING = """
SELECT pid FROM pg_stat_activity WHERE pid = ANY($1) AND state <> 'idle' AND pid <> pg_backend_pid()
"""


class Doubts:
    """The sessions of PostgreSQL, by process id, that were committing when they were last heard of."""

    def __init__(self) -> None:
        self.exist = asyncio.Event()
        self._sessions: set[int] = set()

    def note(self, session: int) -> None:
        """Note that it is unknown whether a session has committed."""
        self._sessions.add(session)
        self.exist.set()

    def settle(self, sessions: set[int]) -> None:
        """Forget the doubts about some sessions."""
        self._sessions -= sessions
        if not self._sessions:
            self.exist.clear()

    async def decided(self, pool: "asyncpg.Pool[Record]") -> set[int]:
        """Return the sessions that are not working any more: what they commit is committed."""
        sessions = set(self._sessions)
        running = await pool.fetch(_RUNNING, sessions)
        return sessions - {row["pid"] for row in running}


class TrackedConnection(_Connection):
    """A connection that notes its commits that are in doubt."""

    doubts: Doubts
    server_pid: int  # of its session, which a connection that was cut off no longer tells

    @classmethod
    async def open(cls, doubts: Doubts, *arguments: Any, **options: Any) -> Self:
        """Connect as `asyncpg.connect` does."""
        connection: Self = await asyncpg.connect(*arguments, **{**options, "connection_class": cls})
        connection.doubts = doubts
        connection.server_pid = connection.get_server_pid()
        return connection

    async def execute(self, query: str, *args: Any, timeout: float | None = None) -> str:  # noqa: ASYNC109
        """Execute a statement, such as the COMMIT of a transaction of asyncpg's or SQLAlchemy's."""
        try:
            return await super().execute(query, *args, timeout=timeout)
        except BaseException as error:
            self._doubt(query, error)
            raise

    async def _execute(self, query: str, *arguments: Any, **options: Any) -> Any:
        """Execute a statement that has values: asyncpg's `fetch` and all that are like it end here."""
        try:
            return await super()._execute(query, *arguments, **options)  # type: ignore[misc]  # not in the stubs
        except BaseException as error:
            self._doubt(query, error)
            raise

    def _doubt(self, query: str, error: BaseException) -> None:
        if _leaves_doubt(error) and _COMMITS.search(query):
            self.doubts.note(self.server_pid)


def _leaves_doubt(error: BaseException) -> bool:
    """Return whether a statement that failed may have been carried out: PostgreSQL has not refused it."""
    if isinstance(error, asyncpg.PostgresError):
        return (error.sqlstate or "").startswith(_UNKNOWN_OUTCOME)
    # An InterfaceError means that nothing was sent: the connection was closed, or a value does not fit.
    return not isinstance(error, asyncpg.InterfaceError)
