"""Notes of backups, so that administrators see how old the last one is, and whether it was tested."""

from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import connected
from app.server.operations.models import BackupNote

BACKUP, RESTORE_TEST = "backup", "restore_test"
_ADD = """
INSERT INTO backup_notes (kind, file, bytes)
SELECT $1, $2, $3 WHERE to_regclass('backup_notes') IS NOT NULL
"""


async def note(url: str, kind: str, file: Path, size: int) -> None:
    """Note a backup, or a test of one, in the database that it is of."""
    async with connected(url) as connection:
        await connection.execute(_ADD, kind, file.name, size)


async def last_notes(session: AsyncSession) -> Mapping[str, BackupNote]:
    """Return the last note of each kind."""
    query = select(BackupNote).distinct(BackupNote.kind).order_by(BackupNote.kind, BackupNote.id.desc())
    return {note.kind: note for note in await session.scalars(query)}
