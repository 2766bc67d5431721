"""Upgrading the database when a server starts.

Alembic and all models are imported only if a migration is missing: `gorrion serve` has no other use for them.
"""

import asyncio
import re
import time

from app.core.database.session import AGAIN_AFTER, DATABASE_ERRORS, Patience, connected
from app.core.settings import FILES

LOCK = 7_301_953
"""The advisory lock that a process holds while it migrates; the number is arbitrary."""


def upgrade_patiently(url: str) -> None:
    """Apply the migrations that the database at `url` lacks, as soon as PostgreSQL is available.

    Raise UnknownSchemaError as `migrate.upgrade` does.
    """
    patience = Patience()
    while True:
        try:
            return _upgrade(url)
        except DATABASE_ERRORS as error:
            patience.bear(error)
            time.sleep(AGAIN_AFTER)


def _upgrade(url: str) -> None:
    if asyncio.run(_is_current(url)):
        return
    from app.core.database.migrate import upgrade  # noqa: PLC0415 - its import is what takes the time

    upgrade(url)


async def _is_current(url: str) -> bool:
    """Return whether a database is at the newest migration, and no other process is applying a newer one."""
    async with connected(url) as connection:
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", LOCK):
            return False
        if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
            return False
        revision: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
        return revision == newest_revision()


def newest_revision() -> str:
    """Return the newest migration of this version: it is in the last file, since their names have dates."""
    last = max((FILES / "migrations" / "versions").glob("*.py"))
    found = re.search(r'^revision = "(\w+)"', last.read_text(), re.MULTILINE)
    assert found is not None
    return found[1]
