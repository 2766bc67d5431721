"""The rows of searches: which are under way, locked for pairing, and deleted when they are old.

A trigger ends those of the players of each game that begins (`end_searches` in the database).
"""

from collections.abc import Collection
from datetime import timedelta

from sqlalchemy import ColumnElement, and_, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database
from app.core.database.statements import is_one_of
from app.play.pairing.models import Search

_KEPT_FOR = timedelta(days=1)  # as it is proposed when the player looks for games again


def is_alive() -> ColumnElement[bool]:
    """Return the condition that there was a sign of life of a search lately, whether or not it has a game."""
    return Search.until > func.now()


def is_open() -> ColumnElement[bool]:
    """Return the condition that a search is under way."""
    return and_(is_alive(), Search.game_id.is_(None))


def any_open() -> ColumnElement[bool]:
    """Return the condition that any search is under way."""
    return exists().where(is_open())


async def lock_searches(session: AsyncSession, account_ids: Collection[int]) -> frozenset[int]:
    """Lock the searches of accounts that are under way; return these accounts.

    Searches end as games of their players begin. All who begin games lock them in one order, and challenges
    after that.
    """
    of_them = is_one_of(Search.account_id, list(account_ids)), is_open()
    locked = select(Search.account_id).where(*of_them).order_by(Search.account_id).with_for_update()
    return frozenset(await session.scalars(locked))


async def end_search(session: AsyncSession, account_id: int) -> None:
    """End the search of an account, which may begin the same again at once."""
    is_theirs = Search.account_id == account_id, is_alive()
    await session.execute(update(Search).where(*is_theirs).values(until=func.now()))


async def delete_old_searches(database: Database) -> None:
    """Delete searches that ended more than a day ago."""
    await delete_in_parts(database, Search, Search.until < func.now() - _KEPT_FOR)
