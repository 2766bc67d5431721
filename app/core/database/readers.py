"""Sessions for reading, which keep their connections from one use to the next."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, event, inspect, select
from sqlalchemy.exc import NoResultFound
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker
from sqlalchemy.orm import ORMExecuteState, Session

from app.core.database.direct import direct_query
from app.core.database.pools import PagesPool

_READS_ONLY = (
    "This session only reads: each of its statements is a transaction of its own. Use `transaction`."
)


_CANCEL_WITHIN = 1.0  # seconds


class _SyncSession(Session):
    """A session that raises RuntimeError instead of writing or locking."""


def _refuse_to_write(state: ORMExecuteState) -> None:
    is_locking = getattr(state.statement, "_for_update_arg", None) is not None
    if state.is_insert or state.is_update or state.is_delete or is_locking:
        raise RuntimeError(_READS_ONLY)


def _refuse_to_flush(session: Session, *_arguments: Any) -> None:
    if session.new or session.dirty or session.deleted:
        raise RuntimeError(_READS_ONLY)


event.listen(_SyncSession, "do_orm_execute", _refuse_to_write)
event.listen(_SyncSession, "before_flush", _refuse_to_flush)


class _ReadingSession(AsyncSession):
    """A session that raises RuntimeError instead of writing or locking.

    With a connection of asyncpg's, it executes there what was executed before (see `direct_query`).
    """

    sync_session_class = _SyncSession
    connected: Any = None  # asyncpg's

    async def execute(self, statement: Any, params: Any = None, **options: Any) -> Any:
        query = None if options or self.connected is None else await direct_query(statement, self.connected)
        if query is None:
            return await super().execute(statement, params, **options)
        return await query.result(self.connected, params, self.sync_session)

    async def scalar(self, statement: Any, params: Any = None, **options: Any) -> Any:
        return (await self.execute(statement, params, **options)).scalar()

    async def scalars(self, statement: Any, params: Any = None, **options: Any) -> Any:
        return (await self.execute(statement, params, **options)).scalars()

    async def get(self, entity: Any, ident: Any, **options: Any) -> Any:
        if options:
            return await super().get(entity, ident, **options)
        key = inspect(entity).identity_key_from_primary_key(_key_values(entity, ident))
        known = self.sync_session.identity_map.get(key)
        return known or await self.scalar(
            _of_key(entity), {f"key_{at}": value for at, value in enumerate(key[1])}
        )

    async def get_one(self, entity: Any, ident: Any, **options: Any) -> Any:
        found = await self.get(entity, ident, **options)
        if found is None:
            raise NoResultFound("No row was found when one was required")
        return found

    def forget(self) -> None:
        """Forget what was read. Raise RuntimeError if something of it was changed."""
        known = self.sync_session
        if known.new or (known.identity_map and (known.dirty or known.deleted)):
            raise RuntimeError(_READS_ONLY)
        if known.identity_map:
            known.expunge_all()


def _key_values(entity: Any, ident: Any) -> Sequence[Any]:
    """Return the values of the columns of a key, which is given as `Session.get` takes it."""
    if isinstance(ident, Mapping):
        mapper = inspect(entity)
        return [ident[mapper.get_property_by_column(column).key] for column in mapper.primary_key]
    return ident if isinstance(ident, tuple) else (ident,)


@cache
def _of_key(entity: Any) -> Select[Any]:
    columns = inspect(entity).primary_key
    return select(entity).where(*(column == bindparam(f"key_{at}") for at, column in enumerate(columns)))


class _Reader(NamedTuple):
    session: _ReadingSession
    connection: Any  # asyncpg's


async def _settle(connection: Any) -> None:
    """Wait until PostgreSQL has cancelled what a reader asked, or drop the connection.

    Whoever gets the connection next would wait for that, up to the longest time of a statement. Dropping it
    at once would let PostgreSQL go on, and takes about as long as most cancellations: 10 ms.
    """
    try:
        await connection.execute("SELECT 1", timeout=_CANCEL_WITHIN)
    except Exception:  # noqa: BLE001 - whatever it is, this connection is of no use any more
        connection.terminate()


class Readers:
    """The sessions of an engine in which each statement is a transaction of its own.

    A session that was left in order stays connected, and the next reader gets it, without what it has read:
    for a small query, the way to the pool and back takes longer than everything else. A connection that
    somebody waits for goes back to the pool. Behind a pooler, which may share out the connection after each
    transaction, nothing is kept.
    """

    def __init__(self, engine: AsyncEngine, *, is_pooled: bool) -> None:
        readers = engine if is_pooled else engine.execution_options(isolation_level="AUTOCOMMIT")
        self._sessions = async_sessionmaker(readers, class_=_ReadingSession)
        self._is_pooled = is_pooled
        self._idle: list[_Reader] = []
        assert isinstance(engine.pool, PagesPool)
        self._pool = engine.pool
        self._pool.when_exhausted = self._give_one_back

    @contextlib.asynccontextmanager
    async def session(self) -> AsyncIterator[AsyncSession]:
        """Yield a session."""
        reader, is_in_order = await self._reader(), False
        try:
            yield reader.session
            reader.session.forget()
            is_in_order = True
        except asyncio.CancelledError:
            await _settle(reader.connection)
            raise
        finally:
            if is_in_order and not self._is_pooled and not self._pool.waiting:
                self._idle.append(reader)
            else:
                await reader.session.__aexit__(None, None, None)  # closes it even if this task is cancelled

    async def close(self) -> None:
        """Return unused connections to the pool."""
        while self._idle:
            await self._idle.pop().session.close()

    async def _reader(self) -> _Reader:
        while self._idle:
            reader = self._idle.pop()  # the one that was used last knows most statements
            if not reader.connection.is_closed():
                return reader
            await reader.session.close()
        session = self._sessions()
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(session)
            connection = await (await session.connection()).get_raw_connection()
            stack.pop_all()
        if not self._is_pooled:
            session.connected = connection.driver_connection
        return _Reader(session, connection.driver_connection)

    def _give_one_back(self) -> None:
        if self._idle:
            self._idle.pop(0).session.sync_session.close()
