"""Backing up the database into one file, and restoring it into an empty one."""

import asyncio
import re
from pathlib import Path

from app.core.database.migrate import UnknownSchemaError, is_known, migrations, serves
from app.core.database.session import connected
from app.core.errors import OperatorError
from app.server.operations import programs
from app.server.operations.files import replacing

_COUNT_TABLES = """
SELECT count(*) FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind IN ('r', 'p') AND nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
"""

_REVISION = "SELECT version_num FROM alembic_version"


class BackupError(OperatorError):
    """A backup cannot be made or restored."""


def back_up(url: str, file: Path) -> int:
    """Write the database at `url`, as it is now, to a new file, and return its size in bytes.

    The server may run meanwhile. A file that is not complete never has this name. Raise BackupError or
    ProgramError.
    """
    if file.exists():
        raise BackupError(f"{file} exists already. Choose another name.")
    program = programs.find("pg_dump", asyncio.run(_version_with_tables(url)))
    try:
        with replacing(file, mode=0o600) as opened:  # it has password hashes
            programs.run(program, url, "--format=custom", f"--file={opened.name}")
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror}.") from error
    return file.stat().st_size


def check_file(file: Path) -> None:
    """Raise BackupError unless there is a file to restore."""
    if not file.is_file():
        raise BackupError(f"There is no file {file}.")


def restore(url: str, file: Path) -> None:
    """Restore a backup into the empty database at `url`: all of it, or nothing if that fails.

    Raise BackupError, also if the database has any table, UnknownSchemaError or ProgramError.
    """
    program = programs.find("pg_restore", asyncio.run(_version_while_empty(url)))
    _check_revision(program, file)
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    programs.run(program, url, *options, str(file))
    asyncio.run(_analyze(url))


def _check_revision(program: Path, file: Path) -> None:
    """Raise an error unless this version can migrate what is in a backup, or work on it as it is."""
    try:
        printed = programs.read(program, "--data-only", "--table=alembic_version", "--file=-", str(file))
    except programs.ProgramError as error:
        raise BackupError(f"{file} is not a backup, or damaged. Choose another file. {error}") from None
    row = re.search(r"^COPY .*;\n(\w+)$", printed, re.MULTILINE)
    if row is None:
        raise BackupError(f"{file} is not a backup of Gorrion.")
    if not is_known(row[1]) and not serves(programs.read(program, "--schema-only", "--file=-", str(file))):
        raise UnknownSchemaError(row[1], "backup")


async def _version_with_tables(url: str) -> int:
    """Return PostgreSQL's major version. Raise BackupError if the database has no tables of Gorrion."""
    async with connected(url) as connection:
        if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
            raise BackupError(
                "The database has no tables of Gorrion, so there is nothing to back up. Check that it is the"
                " right one."
            )
        return connection.get_server_version().major


async def _version_while_empty(url: str) -> int:
    """Return PostgreSQL's major version. Raise BackupError if the database has any table."""
    async with connected(url) as connection:
        if await connection.fetchval(_COUNT_TABLES):
            raise BackupError(
                "The database is not empty, and a restore overwrites nothing. Create a new database, or"
                " choose a new folder with --data, and restore into that."
            )
        return connection.get_server_version().major


async def check_unused(url: str) -> None:
    """Raise BackupError if the database has tables, unless they are those of this version.

    A server of another version may have used it, and would be migrated.
    """
    head = migrations().get_current_head()
    async with connected(url) as connection:
        if not await connection.fetchval(_COUNT_TABLES):
            return
        has_revision = await connection.fetchval("SELECT to_regclass('alembic_version')") is not None
        if not has_revision or await connection.fetchval(_REVISION) != head:
            raise BackupError(
                "The database is not empty, and has tables of another version. Create a new database, or"
                " choose a new folder with --data."
            )


async def _analyze(url: str) -> None:
    async with connected(url, within=None) as connection:
        await connection.execute("ANALYZE")
