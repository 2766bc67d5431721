"""Upgrading the database when a server starts. One that lacks no migration is left alone at once.

Alembic and all models, which a server of one's own needs for nothing else, take half a second and 24 MB.
"""

import asyncio
import re
import time

from app.core.database.session import AGAIN_AFTER, DATABASE_ERRORS, Patience, connected
from app.core.settings import FILES


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
    if asyncio.run(_revision_of(url)) == newest_revision():
        return
    from app.core.database.migrate import upgrade  # noqa: PLC0415 - its import is what takes the time

    upgrade(url)


async def _revision_of(url: str) -> str | None:
    """Return the migration that a database is at, None if it has none."""
    async with connected(url) as connection:
        if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
            return None
        revision: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
        return revision


def newest_revision() -> str:
    """Return the newest migration of this version: it is in the last file, since their names have dates."""
    last = max((FILES / "migrations" / "versions").glob("*.py"))
    found = re.search(r'^revision = "(\w+)"', last.read_text(), re.MULTILINE)
    assert found is not None
    return found[1]
