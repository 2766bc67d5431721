"""Figures of the last day, sampled every few minutes for the charts of administrators."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.settings import Settings
from app.server.operations.models import FigureSample
from app.server.operations.status import read_status

KEPT_FOR = timedelta(days=1)


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
