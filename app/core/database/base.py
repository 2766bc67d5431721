"""The declarative base of all tables, with the names of constraints and the column types."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, ColumnElement, DateTime, Double, MetaData, Table, Text, or_
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase

from app.core.database.personal import Personal
from app.core.database.written import Written


class Base(DeclarativeBase):
    """Base of every table. Times are timestamptz in UTC, integers bigint, mappings jsonb."""

    __personal__: ClassVar[Personal | None] = None
    """Which rows belong to accounts, if the table refers to them."""

    __written__: ClassVar[Written | None] = None
    """Which text players write for others, if there is one."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: DateTime(timezone=True),
        int: BigInteger,
        str: Text,
        float: Double,
        list[str]: ARRAY(Text),
        list[int]: ARRAY(BigInteger),
        list[float]: ARRAY(Double),
        dict[str, Any]: JSONB(none_as_null=True),
        dict[str, int]: JSONB,
    }


def personal_tables() -> dict[str, Personal]:
    """Return what belongs to accounts, by table. The table of accounts itself is not among them."""
    models = (mapper.class_ for mapper in Base.registry.mappers)
    declared = {model.__tablename__: model.__personal__ for model in models}
    return {name: personal for name, personal in sorted(declared.items()) if personal is not None}


def table(name: str) -> Table:
    """Return a table by its name."""
    return Base.metadata.tables[name]


def rows_of(account_id: int, name: str, columns: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition of the rows of a table in which one of the columns is an account."""
    return or_(*(table(name).c[column] == account_id for column in columns))
