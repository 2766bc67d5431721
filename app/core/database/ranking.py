"""Rankings: rows in a declared order, with shared ranks, pages by cursor, and the rank of one row.

An `RankOrder` is declared once for a table, a `Ranking` applies it to some of the rows. Ranks are counts of
better rows, so an index on the order's columns makes every page and rank cheap, however long the ranking is.
"""

import base64
import contextlib
from collections.abc import Callable, Sequence
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
    delete,
    false,
    func,
    insert,
    literal,
    not_,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql import operators
from sqlalchemy.types import TypeEngine

from app.core.database import marks
from app.core.database.marks import RankingMark
from app.core.database.unreadable import UnreadableError
from app.core.errors import InvalidError
from app.core.i18n.text import _

_SINCE, _UNTIL = datetime(1970, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
StoredMoment = Annotated[AwareDatetime, Field(ge=_SINCE, le=_UNTIL)]
"""The type of a moment to compare with stored ones. Near the first and the last year some have no UTC."""

MAX_CURSOR = 1_000
"""The most characters of a cursor; the longest ones have the moves of 200 boards in them."""

_LIMIT, _ACCOUNT = "limit", "of_account"  # parameters
_CONTEXT = 5  # rows above the one that a page is about
_MOST_OVERTAKEN = 50

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
    """

    def __init__(self, *columns: SQLColumnExpression[Any], ties: int) -> None:
        self.clauses = columns
        self.ties = ties
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
        first, rest = self._columns[0], self._columns[1 : self.ties]
        better = self.better(key[0], members, name)
        if not rest:
            return 1 + better
        equal = first.expression == first.value(key[0])
        return 1 + better + _count(*members, equal, _before(rest, key[1:]))

    def better(
        self,
        value: Any,
        members: Sequence[SQLColumnExpression[bool]],
        name: str | SQLColumnExpression[str] | None = None,
    ) -> ColumnElement[int]:
        """Return SQL for the number of rows that fulfil `members` and are better in the first column."""
        first = self._columns[0]
        is_better = _beyond([first.reversed], [value])
        if name is None:
            return _count(*members, is_better)
        since, counted = marks.nearest(
            name, first.expression, first.value(value), is_descending=first.is_descending
        )
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
                "bad_cursor", _("This page does not exist. Use the `next` value of the page before it.")
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


@dataclass(frozen=True)
class Ranking(Generic[T]):
    """An order over the rows of one table that fulfil `members`, at most one for each account that is ranked.

    It makes its statements once, which takes longer than executing them; so rankings are worth keeping.

    `is_ranked` is the rule about accounts (see `app.people.identity.ranked`), given the column `account`.
    `rows` selects what `read` makes a row of the ranking from, given its rank; joins belong there. A row for
    which `read` raises UnreadableError is left out.
    """

    order: RankOrder
    rows: Select[*tuple[Any, ...]]
    members: tuple[SQLColumnExpression[bool], ...]
    account: SQLColumnExpression[int]
    is_ranked: Callable[[SQLColumnExpression[int]], ColumnElement[bool]]
    read: Callable[[int, Any], T]
    name: str | None = None
    """The name of its marks, if it may become long."""

    @property
    def conditions(self) -> tuple[SQLColumnExpression[bool], ...]:
        """Return the conditions of the rows that have a rank."""
        return *self.members, self.is_ranked(self.account)

    async def page(self, session: AsyncSession, cursor: str, limit: int) -> RankedPage[T]:
        """Return the rows after `cursor`, at most `limit`; the first page has the cursor "".

        Raise InvalidError `bad_cursor` for a cursor of another order.
        """
        statement, values = self._first_page, {_LIMIT: limit + 1}
        if cursor:
            statement, values = self._later_page, values | _values(self.order.from_cursor(cursor))
        rows = (await session.execute(statement, values)).all()
        page = self.order.page(rows, limit, self._key)
        return RankedPage(await self._ranked(session, page.rows), page.next)

    async def row_of(self, session: AsyncSession, account_id: int) -> T | None:
        """Return the row of an account, or None."""
        rows = (await session.execute(self._of_account, {_ACCOUNT: account_id})).all()
        return next(iter(await self._ranked(session, rows)), None)

    async def cursor_to(self, session: AsyncSession, account_id: int) -> str:
        """Return the cursor of a page that has the row of an account, after a few better ones.

        Return "" if there is no such row, or if it is on the first rows.
        """
        own = (await session.execute(self._of_account, {_ACCOUNT: account_id})).first()
        if own is None:
            return ""
        better = self._query().where(self.order.before(self._key(own)))
        start = better.order_by(*self.order.reversed_clauses).offset(_CONTEXT).limit(1)
        row = (await session.execute(start)).first()
        return self.order.to_cursor(self._key(row)) if row else ""

    async def rank_of(self, session: AsyncSession, key: Key) -> int:
        """Return the rank that a row with these values in the deciding columns has, or would have."""
        return (await session.execute(select(self.order.rank(key, self.conditions, self.name)))).scalar_one()

    def better(self, value: Any) -> ColumnElement[int]:
        """Return SQL for the number of rows that are better than a value in the order's first column."""
        return self.order.better(value, self.conditions, self.name)

    def overtaken(
        self, account_id: int, key: Key, before: Key | None, is_told: ColumnElement[bool]
    ) -> Select[int]:
        """Return the query for the accounts whose place an account has taken with a new key.

        They are next behind it, and were not behind `before`, the key that the account had, if any. A key has
        the columns that are compared here: rows that are equal in them are overtaken together, at most 50 of
        those for which `is_told` holds, the first ones by the rest of the order.
        """
        compared = len(key)
        is_not_behind = true() if before is None else not_(self.order.after(before))
        next_behind = (
            select(self.account.label("account_id"), *self.order.expressions)
            .where(*self.members, self.account != account_id, self.order.after(key), is_not_behind, is_told)
            .order_by(*self.order.clauses[:compared])
            .fetch(1, with_ties=True)
            .subquery()
        )
        first, *rest = next_behind.c
        return select(first).order_by(*rest[compared:]).limit(_MOST_OVERTAKEN)

    async def set_marks(self, session: AsyncSession) -> None:
        """Replace the marks of the ranking."""
        first, direction = self.order.expressions[0], self.order.clauses[0]
        better = func.rank().over(order_by=direction) - 1
        place = func.row_number().over(order_by=direction)
        ranked = (
            select(first.label("value"), better.label("better"), place.label("place"))
            .where(*self.conditions)
            .subquery()
        )
        marked = select(literal(self.name), ranked.c.value, ranked.c.better).where(
            ranked.c.place % marks.EVERY == 0
        )
        await session.execute(delete(RankingMark).where(RankingMark.ranking == self.name))
        columns = ["ranking", "value", "better"]
        await session.execute(insert(RankingMark).from_select(columns, marked.distinct()))

    def _query(self) -> Select[*tuple[Any, ...]]:
        return self.rows.add_columns(*self.order.expressions).where(*self.conditions)

    @cached_property
    def _first_page(self) -> Select[*tuple[Any, ...]]:
        return self._query().order_by(*self.order.clauses).limit(bindparam(_LIMIT))

    @cached_property
    def _later_page(self) -> Select[*tuple[Any, ...]]:
        return self._first_page.where(self.order.after(self.order.parameters))

    @cached_property
    def _of_account(self) -> Select[*tuple[Any, ...]]:
        return self._query().where(self.account == bindparam(_ACCOUNT))

    @cached_property
    def _place(self) -> Select[int, int]:
        """Return the query for the rank of a key, and for the number of rows with it that come before."""
        key = self.order.parameters
        return select(
            self.order.rank(key, self.conditions, self.name), self.order.tied_before(key, self.conditions)
        )

    def _key(self, row: Sequence[Any]) -> Key:
        return row[-len(self.order.clauses) :]

    async def _ranked(self, session: AsyncSession, rows: Sequence[Any]) -> tuple[T, ...]:
        """Make rows of the ranking from rows of the query that follow each other."""
        if not rows:
            return ()
        key = self._key(rows[0])
        rank, tied_before = (await session.execute(self._place, _values(key))).one()
        ranked, deciding = [], key[: self.order.ties]
        for place, row in enumerate(rows, rank + tied_before):
            if deciding != (deciding := self._key(row)[: self.order.ties]):
                rank = place
            with contextlib.suppress(UnreadableError):
                ranked.append(self.read(rank, row))
        return tuple(ranked)


def _values(key: Key) -> dict[str, Any]:
    """Return the values of the `parameters` of an order."""
    return {f"key_{place}": value for place, value in enumerate(key)}


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
