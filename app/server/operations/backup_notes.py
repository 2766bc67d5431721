"""Notes of backups, so that administrators see how old the last one is, and whether it was tested."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from asyncpg import UndefinedTableError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import connected
from app.server.operations.models import BackupNote

BACKUP, RESTORE_TEST = "backup", "restore_test"
_ADD = "INSERT INTO backup_notes (kind, file, bytes) VALUES ($1, $2, $3)"


async def note(url: str, kind: str, file: Path, size: int) -> None:
    """Note a backup, or a test of one, in the database that it is of."""
    async with connected(url) as connection:
        with suppress(UndefinedTableError):  # of a version before, which is backed up before it is migrated
            await connection.execute(_ADD, kind, file.name, size)


async def last_notes(session: AsyncSession) -> Mapping[str, BackupNote]:
    """Return the last note of each kind."""
    query = select(BackupNote).distinct(BackupNote.kind).order_by(BackupNote.kind, BackupNote.id.desc())
    return {note.kind: note for note in await session.scalars(query)}
