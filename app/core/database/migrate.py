"""Alembic's migrations, run from code, and what they share."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from alembic import command, op
from alembic.config import Config
from alembic.runtime.migration import MigrationContext, MigrationInfo
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError

from app.core.database.session import connected
from app.core.errors import OperatorError
from app.core.settings import FILES

_PGQUEUER = "pgqueuer"
"""The names of PgQueuer's tables begin with this. They have no models: a migration has PgQueuer's own DDL."""
OLDEST_SERVED = "b2d81f6a9c37"
"""The newest migration of the release before: all versions that have it work on the tables of this one."""
READ_NOTE = "SELECT obj_description('alembic_version'::regclass, 'pg_class')"
"""What the version that has migrated a database notes in it for older ones, as `serves` understands."""
_NOTE = "It serves all versions since the migration {}"
FUNCTIONS = Path(__file__).with_name("functions")
"""The folder of the functions in SQL: a file for each, with its name."""


class UnknownSchemaError(OperatorError):
    """This version does not have the migration that a database or a backup is at."""

    def __init__(self, revision: str | None, what: str) -> None:
        *_, first = migrations().walk_revisions()
        super().__init__(
            f"A Gorrion before 0.1.0 has migrated this {what}: run the last version before 0.1.0 first."
            if revision in first.module.replaces.split()
            else f"A newer Gorrion has migrated this {what}: run that version."
        )


def is_ours(name: str | None, type_: str, _parents: Mapping[str, str | None]) -> bool:
    """Return whether a database object is compared with the models; Alembic's `include_name`."""
    return type_ != "table" or name is None or not name.startswith(_PGQUEUER)


def config(url: str) -> Config:
    """Return Alembic's configuration for the database at `url`."""
    alembic = Config(FILES / "alembic.ini")
    alembic.attributes["url"] = url
    return alembic


def upgrade(url: str) -> None:
    """Apply the migrations that the database at `url` lacks.

    Leave the tables of a newer version as they are. Raise UnknownSchemaError unless this one works on them.
    """
    try:
        command.upgrade(config(url), "head")
    except CommandError as error:
        if not isinstance(error.__cause__, ResolutionError):
            raise
        if not serves(asyncio.run(_note_in(url))):
            raise UnknownSchemaError(error.__cause__.argument, "database") from error


def migrations() -> ScriptDirectory:
    """Return the migrations of this version."""
    return ScriptDirectory.from_config(config(""))


def is_known(revision: str) -> bool:
    """Return whether a revision is one of the migrations of this version."""
    return revision in {script.revision for script in migrations().walk_revisions()}


def note_served(*, ctx: MigrationContext, step: MigrationInfo, **_: Any) -> None:
    """Note, as a part of a migration, which versions work on the tables; Alembic's `on_version_apply`."""
    if step.is_upgrade and ctx.connection is not None:
        note = _NOTE.format(OLDEST_SERVED)
        ctx.connection.exec_driver_sql(f"COMMENT ON TABLE alembic_version IS '{note}'")


def serves(note: str | None) -> bool:
    """Return whether this version works on the tables of a newer one, from a text that has its note."""
    found = re.search(_NOTE.format(r"(\w+)"), note or "")
    return found is not None and is_known(found[1])


async def _note_in(url: str) -> str | None:
    async with connected(url) as connection:
        note: str | None = await connection.fetchval(READ_NOTE)
        return note


def create_functions() -> None:
    """Create the functions in SQL, in a migration, or replace them by what their files say now.

    The file may be newer than the migration, and use what a later one adds. Where arguments or what is
    returned become others, drop the function before.
    """
    connection = op.get_bind()
    connection.exec_driver_sql("SET LOCAL check_function_bodies = off")
    for file in sorted(FUNCTIONS.glob("*.sql")):
        connection.exec_driver_sql(file.read_text())


def create_index(name: str, table: str, columns: Sequence[Any], **options: Any) -> None:
    """Create an index, in a migration, while the table is being written.

    This is not part of a transaction, so a migration that calls it does nothing that cannot be repeated.
    """
    drop_index(name, table)  # an attempt that failed leaves an index that is not valid
    with op.get_context().autocommit_block():
        op.create_index(name, table, columns, postgresql_concurrently=True, **options)


def drop_index(name: str, table: str) -> None:
    """Drop an index, in a migration, while the table is being written. See `create_index`."""
    with op.get_context().autocommit_block():
        op.drop_index(name, table_name=table, if_exists=True, postgresql_concurrently=True)
