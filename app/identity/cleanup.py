"""Deleting expired sessions and tokens, and guests who never played."""

from datetime import timedelta

from sqlalchemy import Column, delete, exists, func

from app.database.base import Base
from app.database.session import Database
from app.identity.models import Account, ApiToken, Session

GUEST_LIFETIME = timedelta(days=30)
"""How long a guest who never plays is kept."""


async def delete_expired_keys(database: Database) -> None:
    """Delete the sessions and API tokens that have expired."""
    async with database.transaction() as session:
        for table in (Session, ApiToken):
            await session.execute(delete(table).where(table.expires_at <= func.now()))


async def delete_unused_guests(database: Database) -> None:
    """Delete guests older than GUEST_LIFETIME that no game, challenge, run or other row refers to."""
    traces = [~exists().where(column == Account.id) for column in _references()]
    async with database.transaction() as session:
        await session.execute(
            delete(Account).where(
                Account.password_hash.is_(None), Account.created_at < func.now() - GUEST_LIFETIME, *traces
            )
        )


def _references() -> list[Column[int]]:
    """Return all columns that refer to accounts, but those of the keys, which are deleted with an account."""
    keys = {Session.__table__, ApiToken.__table__}
    return [
        column
        for table in Base.metadata.sorted_tables
        if table not in keys
        for column in table.columns
        if any(key.column.table is Account.__table__ for key in column.foreign_keys)
    ]
