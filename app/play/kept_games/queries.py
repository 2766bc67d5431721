"""Kept games, read from the database."""

from datetime import datetime

from sqlalchemy import Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import made_once
from app.play.kept_games.models import KeptGameRow


async def is_kept(session: AsyncSession, account_id: int, game_id: str) -> bool:
    """Return whether an account has kept a game."""
    return bool(await session.scalar(*_is_kept(account_id, game_id)))


@made_once
def _is_kept(account_id: int, game_id: str) -> Select[bool]:
    return select(exists().where(KeptGameRow.account_id == account_id, KeptGameRow.game_id == game_id))


async def latest(session: AsyncSession, account_id: int, *, limit: int, offset: int) -> dict[str, datetime]:
    """Return when an account has kept games, by their ids, the latest first."""
    return dict((await session.execute(*_latest(account_id, limit, offset))).all())


@made_once
def _latest(account_id: int, limit: int, offset: int) -> Select[str, datetime]:
    return (
        select(KeptGameRow.game_id, KeptGameRow.kept_at)
        .where(KeptGameRow.account_id == account_id)
        .order_by(KeptGameRow.kept_at.desc(), KeptGameRow.game_id)
        .limit(limit)
        .offset(offset)
    )


def count_kept(account_id: int) -> Select[int]:
    """Return the query for the number of games that an account has kept."""
    return select(func.count()).where(KeptGameRow.account_id == account_id)
