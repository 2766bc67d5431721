"""The rows of tables that belong to an account."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Table, or_

from app.core.database.base import Base


def table(name: str) -> Table:
    """Return a table by its name."""
    return Base.metadata.tables[name]


def rows_of(account_id: int, name: str, columns: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition of the rows of a table in which one of the columns is an account."""
    return or_(*(table(name).c[column] == account_id for column in columns))
