"""Alembic's environment: every table of the application, one PostgreSQL, and a server that may be in use.

Each migration has its own transaction. It waits for a lock only briefly, because everything else waits behind
it; if it does not get the lock, it is rolled back and tried again.
"""

import asyncio
import time

from alembic import context
from alembic.util import CommandError
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

import app.core.database.marks
import app.core.database.unreadable
from app.core.database.base import Base
from app.core.database.migrate import is_ours, note_served
from app.core.database.session import cause_of, create_engine
from app.core.database.upgrading import LOCK
from app.core.importing import import_all
from app.core.settings import Settings

_POLL_EVERY = 0.2  # seconds
_RETRY_AFTER = 1.0  # seconds, in which what waited behind the migration is done
_GIVE_UP_AFTER = 300.0  # seconds
_LOCK_NOT_AVAILABLE = "55P03"
_DATA_DO_NOT_FIT = "23"  # the class of SQLSTATEs

# An autovacuum makes way after `deadlock_timeout`, so that has to be shorter; not every role may set it.
_BRIEF_LOCKS = """
SELECT set_config('lock_timeout', '300ms', true),
       CASE WHEN has_parameter_privilege('deadlock_timeout', 'SET')
            THEN set_config('deadlock_timeout', '100ms', true) END
"""


def _migrate(connection: Connection) -> None:
    _wait_for_other_processes(connection)
    event.listen(connection, "begin", lambda begun: begun.exec_driver_sql(_BRIEF_LOCKS))
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_name=is_ours,
        transaction_per_migration=True,
        on_version_apply=note_served,
    )
    give_up_at = time.monotonic() + _GIVE_UP_AFTER
    while not _try_to_migrate(last_try=time.monotonic() > give_up_at):
        connection.rollback()
        time.sleep(_RETRY_AFTER)


def _try_to_migrate(*, last_try: bool) -> bool:
    """Apply the migrations. Return False if one of them did not get a lock, unless this is the last try.

    Raise CommandError if the stored data do not allow one, such as to undo what others have used meanwhile.
    """
    try:
        with context.begin_transaction():
            context.run_migrations()
    except DBAPIError as error:
        sqlstate = getattr(error.orig, "sqlstate", None) or ""
        if sqlstate.startswith(_DATA_DO_NOT_FIT):
            constraint = getattr(cause_of(error), "constraint_name", None) or "a column"
            raise CommandError(
                f"The stored data do not allow this migration: they do not fit {constraint}. The database is"
                " as it was before it. For an earlier version, restore a backup that that version made."
            ) from error
        if last_try or sqlstate != _LOCK_NOT_AVAILABLE:
            raise
        return False
    return True


def _wait_for_other_processes(connection: Connection) -> None:
    """Take the lock of migrations, which this connection keeps until it is closed."""
    # Not by one statement that waits: CREATE INDEX CONCURRENTLY would wait for that statement.
    while not connection.scalar(text(f"SELECT pg_try_advisory_lock({LOCK})")):
        connection.rollback()
        time.sleep(_POLL_EVERY)
    connection.rollback()


async def _connect_and_migrate(url: str) -> None:
    engine = create_engine(url, poolclass=NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(_migrate)
    await engine.dispose()


import_all("models")
url = context.config.attributes.get("url") or Settings().own_database_url
if url is None:
    raise SystemExit("Set GORRION_DATABASE_URL to the database to migrate.")
asyncio.run(_connect_and_migrate(url))
