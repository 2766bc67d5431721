"""Deleting what is old, however much of it there is, by statements that take no longer than they may."""

from sqlalchemy import ColumnElement, delete, inspect, select, tuple_

from app.core.database.base import Base
from app.core.database.session import Database

_PART = 500  # rows


async def delete_in_parts(database: Database, model: type[Base], *conditions: ColumnElement[bool]) -> None:
    """Delete the rows that meet conditions, some hundred in a transaction; rows that others lock stay."""
    key = inspect(model).primary_key
    found = select(*key).where(*conditions).limit(_PART).with_for_update(skip_locked=True).cte("found")
    part = delete(model).where(tuple_(*key).in_(select(found)))
    is_last = False
    while not is_last:
        async with database.transaction() as session:
            deleted = await session.execute(part.returning(*key))
        is_last = len(deleted.all()) < _PART
