"""What administrators look back on: the last backup and test of one, and figures of the last day."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from asyncpg import UndefinedTableError
from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database, connected
from app.core.settings import Settings
from app.server.operations.models import BackupNote, FigureSample
from app.server.operations.status import read_status

BACKUP, RESTORE_TEST = "backup", "restore_test"
_ADD_NOTE = "INSERT INTO backup_notes (kind, file, bytes) VALUES ($1, $2, $3)"
KEPT_FOR = timedelta(days=1)
"""How long figures are kept."""


async def note(url: str, kind: str, file: Path, size: int) -> None:
    """Note a backup, or a test of one, in the database that it is of."""
    async with connected(url) as connection:
        with suppress(UndefinedTableError):  # of a version before, which is backed up before it is migrated
            await connection.execute(_ADD_NOTE, kind, file.name, size)


async def last_notes(session: AsyncSession) -> Mapping[str, BackupNote]:
    """Return the last note of each kind."""
    query = select(BackupNote).distinct(BackupNote.kind).order_by(BackupNote.kind, BackupNote.id.desc())
    return {note.kind: note for note in await session.scalars(query)}


async def sample_figures(database: Database, settings: Settings) -> None:
    """Keep the figures of this moment, and delete those that are older than a day."""
    url = settings.own_database_url
    assert url is not None
    status = await read_status(url, settings.valkey_url)
    async with database.transaction() as session:
        session.add(
            FigureSample(
                games=status.games_under_way,
                moves=status.moves_in_last_minute,
                connections=status.connections_to_the_site,
                jobs=sum(jobs.waiting for jobs in status.jobs),
                database_bytes=status.database_bytes,
            )
        )
        await session.execute(delete(FigureSample).where(FigureSample.at < func.now() - KEPT_FOR))


async def figures(session: AsyncSession) -> Sequence[FigureSample]:
    """Return the figures of the last day, the oldest first."""
    query = select(FigureSample).where(FigureSample.at > func.now() - KEPT_FOR).order_by(FigureSample.at)
    return (await session.scalars(query)).all()
