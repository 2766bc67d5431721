"""The order of a ranking: its columns, which rows share a rank, and pages by cursor."""

import base64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Generic, NamedTuple, TypeVar, TypeVarTuple

from pydantic import AwareDatetime, ConfigDict, Field, TypeAdapter
from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    DateTime,
    Float,
    Select,
    SmallInteger,
    SQLColumnExpression,
    String,
    UnaryExpression,
    and_,
    bindparam,
    false,
    func,
    literal,
    or_,
    select,
    tuple_,
)
from sqlalchemy.sql import operators
from sqlalchemy.types import TypeEngine

from app.core.database import marks
from app.core.errors import InvalidError
from app.core.i18n.text import _

_SINCE, _UNTIL = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
StoredMoment = Annotated[AwareDatetime, Field(ge=_SINCE, le=_UNTIL)]
"""The type of a moment to compare with stored ones. Near the first and the last year some have no UTC."""

MAX_CURSOR = 1_000
"""The most characters of a cursor; the longest ones have the moves of 200 boards in them."""

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Key = Sequence[Any]
"""The values of an order's columns in one row, or of the first of them; SQL expressions work, too."""


@dataclass(frozen=True, slots=True)
class RankedPage(Generic[T]):
    """A page of a ranking, and the cursor of the next page, None after the last one."""

    rows: tuple[T, ...]
    next: str | None


class _Column(NamedTuple):
    expression: ColumnElement[Any]
    is_descending: bool

    @classmethod
    def of(cls, column: Any) -> "_Column":
        if isinstance(column, UnaryExpression) and column.modifier is operators.desc_op:
            return cls(column.element, is_descending=True)
        return cls(column.expression, is_descending=False)

    def value(self, value: Any) -> Any:
        """Return a value of this column as SQL of the column's type."""
        return value if isinstance(value, SQLColumnExpression) else literal(value, self.expression.type)

    @property
    def reversed(self) -> "_Column":
        return self._replace(is_descending=not self.is_descending)


class RankOrder:
    """The columns that a ranking is sorted by, and how many of the first ones decide the rank.

    Columns ascend, or descend where they are given as `column.desc()`. All together are unique; none is
    ever NULL. Rows that are equal in the first `ties` columns share a rank: 1, 2, 2, 4.

    Marks are of the first column. Where many rows are equal in it, they are of a `measure` of the deciding
    columns: a number that never descends in this order. Its whole part is the first column, with its sign
    turned if that descends.
    """

    def __init__(
        self, *columns: SQLColumnExpression[Any], ties: int, measure: Callable[..., Any] | None = None
    ) -> None:
        self.clauses = columns
        self.ties = ties
        self._measure = measure
        self._columns = [_Column.of(column) for column in columns]

    @cached_property
    def _keys(self) -> TypeAdapter[tuple[Any, ...]]:
        """Return the parser of keys; late, since a foreign key has no type before its target is imported."""
        types = tuple(_value_type(column.expression.type) for column in self._columns)
        return TypeAdapter(tuple[types], config=ConfigDict(strict=True))  # type: ignore[valid-type]

    @property
    def expressions(self) -> list[ColumnElement[Any]]:
        """Return the columns without their directions."""
        return [column.expression for column in self._columns]

    @property
    def parameters(self) -> Key:
        """Return a key of parameters for statements that are made once."""
        return [
            bindparam(f"key_{place}", type_=column.expression.type)
            for place, column in enumerate(self._columns)
        ]

    def clauses_of(self, columns: Iterable[ColumnElement[Any]]) -> list[ColumnElement[Any]]:
        """Return the clauses of the same order on other columns."""
        pairs = zip(self._columns, columns, strict=True)
        return [each.desc() if column.is_descending else each for column, each in pairs]

    @property
    def reversed_clauses(self) -> list[ColumnElement[Any]]:
        """Return the clauses of the opposite order."""
        return [
            column.expression if column.is_descending else column.expression.desc()
            for column in self._columns
        ]

    def after(self, key: Key) -> ColumnElement[bool]:
        """Return the condition of coming after a key."""
        return _beyond(self._columns, key)

    def before(self, key: Key) -> ColumnElement[bool]:
        """Return the condition of coming before a key."""
        return _before(self._columns, key)

    def rank(
        self,
        key: Key,
        members: Sequence[SQLColumnExpression[bool]],
        name: str | SQLColumnExpression[str] | None = None,
    ) -> ColumnElement[int]:
        """Return SQL for the rank of a key among the rows that fulfil `members`, from the marks of `name` on.

        The key has at least the columns that decide the rank. Rows that are better in the first column are
        counted apart: they are nearly all, and an index on that column is enough to count them.
        """
        if self._measure is not None and name is not None:
            return self._measured_rank(key, members, name)
        first, rest = self._columns[0], self._columns[1 : self.ties]
        better = self.better(key[0], members, name)
        if not rest:
            return 1 + better
        equal = first.expression == first.value(key[0])
        return 1 + better + _count(*members, equal, _before(rest, key[1:]))

    def _measured_rank(
        self,
        key: Key,
        members: Sequence[SQLColumnExpression[bool]],
        name: str | SQLColumnExpression[str],
    ) -> ColumnElement[int]:
        values = [column.value(value) for column, value in zip(self._columns, key, strict=False)]
        measure, own = self.marked(self.expressions), self.marked(values)
        mark, counted = marks.nearest(name, own, is_descending=False)
        since = marks.since(measure, mark, is_descending=False)
        # Here an index scan starts, which knows nothing of the measure.
        first, way = self._columns[0].expression, self._columns[0].is_descending
        whole = func.floor(mark)
        since_first = marks.since(first, -whole if way else whole, is_descending=way)
        return 1 + counted + _count(*members, since_first, since, _before(self._columns[: self.ties], key))

    def marked(self, columns: Sequence[ColumnElement[Any]]) -> ColumnElement[Any]:
        """Return the number that marks are of, made of an order's columns."""
        return columns[0] if self._measure is None else self._measure(*columns[: self.ties])

    def marked_clause(self, columns: Sequence[ColumnElement[Any]]) -> ColumnElement[Any]:
        """Return the clause that orders by what marks are of, made of an order's columns."""
        return self.marked(columns) if self._measure is not None else self.clauses_of(columns)[0]

    def better(
        self,
        value: Any,
        members: Sequence[SQLColumnExpression[bool]],
        name: str | SQLColumnExpression[str] | None = None,
    ) -> ColumnElement[int]:
        """Return SQL for the number of rows that fulfil `members` and are better in the first column."""
        first = self._columns[0]
        is_better = _beyond([first.reversed], [value])
        if name is None or self._measure is not None:  # whose marks are of more than the first column
            return _count(*members, is_better)
        way = first.is_descending
        mark, counted = marks.nearest(name, first.value(value), is_descending=way)
        since = marks.since(first.expression, mark, is_descending=way)
        return counted + _count(*members, since, is_better)

    def tied_before(self, key: Key, members: Sequence[SQLColumnExpression[bool]]) -> ColumnElement[int]:
        """Return SQL for the number of rows that share a key's rank and are listed before it."""
        deciding, rest = self._columns[: self.ties], self._columns[self.ties :]
        equal = [
            column.expression == column.value(value) for column, value in zip(deciding, key, strict=False)
        ]
        return _count(*members, *equal, _before(rest, key[self.ties :]))

    def to_cursor(self, key: Key) -> str:
        """Return a key as a cursor: text for URLs, to be read by `from_cursor` only."""
        return base64.urlsafe_b64encode(self._keys.dump_json(tuple(key))).rstrip(b"=").decode()

    def from_cursor(self, cursor: str) -> tuple[Any, ...]:
        """Return the key of a cursor. Raise InvalidError `bad_cursor` if it is not one of this order."""
        try:
            padded = cursor + "=" * (-len(cursor) % 4)
            return self._keys.validate_json(base64.b64decode(padded, altchars=b"-_", validate=True))
        except ValueError:
            raise InvalidError(
                "bad_cursor", _("This page of the list does not exist. Begin with the first page.")
            ) from None

    def select_page(self, query: Select[*Ts], cursor: str, limit: int) -> Select[*Ts]:
        """Return the query for the rows after `cursor`, at most `limit` and one that begins the next page.

        The first page has the cursor "". Raise InvalidError `bad_cursor` for a cursor of another order.
        """
        query = query.order_by(*self.clauses).limit(limit + 1)
        return query.where(self.after(self.from_cursor(cursor))) if cursor else query

    def page(self, rows: Sequence[T], limit: int, key: Callable[[T], Key]) -> RankedPage[T]:
        """Return the page of the rows of a `select_page`, given a function that returns the key of a row."""
        following = self.to_cursor(key(rows[limit - 1])) if len(rows) > limit else None
        return RankedPage(tuple(rows[:limit]), following)


def _beyond(columns: Sequence[_Column], key: Key) -> ColumnElement[bool]:
    """Return the condition of coming after a key in columns of any directions.

    Neighbours of one direction are compared as a row, and the first of these comparisons stands alone in a
    conjunction: both are forms for which PostgreSQL starts an index scan at the key.
    """
    condition: ColumnElement[bool] | None = None
    pairs = zip(columns, key, strict=False)
    stretches = [list(stretch) for _, stretch in groupby(pairs, key=lambda pair: pair[0].is_descending)]
    for stretch in reversed(stretches):
        here = tuple_(*(column.expression for column, _ in stretch))
        there = tuple_(*(column.value(value) for column, value in stretch))
        is_descending = stretch[0][0].is_descending
        beyond = here < there if is_descending else here > there
        if condition is None:
            condition = beyond
        else:
            condition = and_(here <= there if is_descending else here >= there, or_(beyond, condition))
    return false() if condition is None else condition


def _before(columns: Sequence[_Column], key: Key) -> ColumnElement[bool]:
    return _beyond([column.reversed for column in columns], key)


def _count(*conditions: SQLColumnExpression[bool]) -> ColumnElement[int]:
    return select(func.count()).where(*conditions).scalar_subquery()


def _value_type(sql_type: TypeEngine[Any]) -> Any:
    """Return the type of the values that a cursor may have for a column: what PostgreSQL takes for it."""
    match sql_type:
        case SmallInteger():
            return Annotated[int, Field(ge=-(2**15), lt=2**15)]
        case BigInteger():
            return Annotated[int, Field(ge=-(2**63), lt=2**63)]
        case Float():
            return Annotated[float, Field(allow_inf_nan=False)]
        case DateTime():
            return StoredMoment
        case String():
            return Annotated[str, Field(pattern=r"^[^\x00]*$")]
        case ARRAY():
            return list[_value_type(sql_type.item_type)]  # type: ignore[misc]
        case _:
            raise TypeError(f"A ranking cannot be ordered by a {sql_type!r}")
