"""Marks in long rankings, from which ranks are counted: counting from the top takes long in a million rows.

Every 250th row of a ranking leaves a mark with the number of better rows. A rank is the number of the
nearest mark plus the count of the rows since, so ranks beyond the first mark may be as old as the marks. In
a ranking without marks everything is counted.
"""

from collections.abc import Collection
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Float,
    Integer,
    SmallInteger,
    SQLColumnExpression,
    cast,
    delete,
    func,
    literal,
    select,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute, Mapped, mapped_column
from sqlalchemy.types import TypeEngine

from app.core.database.base import Base

_LAST_SECOND = 2.0**33

EVERY = 250
"""The number of rows from one mark to the next."""


class RankingMark(Base):
    """The number of rows of a ranking that are better than a value of what its order has marks of."""

    __tablename__ = "ranking_marks"

    ranking: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[float] = mapped_column(primary_key=True)
    better: Mapped[int]


async def delete_others(session: AsyncSession, rankings: Collection[str | None]) -> None:
    """Delete the marks of all rankings but these."""
    await session.execute(delete(RankingMark).where(RankingMark.ranking.not_in(rankings)))


def nearest(
    ranking: str | SQLColumnExpression[str], key: Any, *, is_descending: bool
) -> tuple[ColumnElement[float], ColumnElement[int]]:
    """Return SQL for the value of the mark nearest to a key, NULL without one, and for its count."""
    value = cast(key, Float)
    not_behind = RankingMark.value >= value if is_descending else RankingMark.value <= value
    closest = RankingMark.value if is_descending else RankingMark.value.desc()

    def of_mark(what: InstrumentedAttribute[Any]) -> ColumnElement[Any]:
        query = select(what).where(RankingMark.ranking == ranking, not_behind).order_by(closest).limit(1)
        # Also within another subquery, every other table is that of the statement around it.
        return query.correlate_except(RankingMark).scalar_subquery()

    return of_mark(RankingMark.value), func.coalesce(of_mark(RankingMark.better), 0)


def since(
    column: ColumnElement[Any], mark: ColumnElement[float], *, is_descending: bool
) -> ColumnElement[bool]:
    """Return the condition of a column not to be before the value of a mark; without one, it is true."""
    end = _largest(column.type)
    # Of the column's own type, so that an index scan starts there.
    value = func.coalesce(cast(mark, column.type), literal(end if is_descending else -end, column.type))
    return column <= value if is_descending else column >= value


def _largest(sql_type: TypeEngine[Any]) -> float:
    match sql_type:
        case SmallInteger():
            return 2**15 - 1
        case BigInteger():
            return 2**63 - 1
        case Integer():
            return 2**31 - 1
        case _:
            return float("inf")


def part_of_time(moment: ColumnElement[Any]) -> ColumnElement[float]:
    """Return where a moment is between 1970 and 2242, from 0 to less than 1; see `RankOrder`."""
    return func.least(func.date_part("epoch", moment) / _LAST_SECOND, 1 - 2.0**-20)
