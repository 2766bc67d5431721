"""Rankings: rows in a declared order, with shared ranks, pages by cursor, and the rank of one row.

An order (`rank_order.py`) is declared once for a table, a `Ranking` applies it to some of the rows. Ranks are
counts of better rows, so an index on the order's columns makes every page and rank cheap, however long the
ranking is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Generic

from sqlalchemy import (
    ColumnElement,
    Select,
    SQLColumnExpression,
    bindparam,
    delete,
    func,
    insert,
    not_,
    select,
    true,
)
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database import marks
from app.core.database.marks import RankingMark
from app.core.database.rank_order import Key, RankedPage, RankOrder, T
from app.core.database.statements import with_constants
from app.core.database.unreadable import UnreadableError

_LIMIT, _ACCOUNT = "limit", "of_account"  # parameters
_PLANNED = (50, 200)  # rows of the pages of the site's rankings; a shorter one is a part of these
_KEPT = 32  # pairs of statements for these pages
_CONTEXT = 5  # rows above the one that a page is about
_MOST_OVERTAKEN = 50
_MARKS_AT_ONCE = 40  # of a statement, which has only some seconds

_Pages = tuple[Select[*tuple[Any, ...]], Select[*tuple[Any, ...]]]
"""The queries for the first page and for a later one."""


@dataclass(frozen=True, eq=False)
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
    is_of_site: bool = False
    """Whether it is one of the few of the whole site, whose pages are planned once, with their constants.

    Those of single events have parameters, and share their plans: there are thousands of them.
    """

    @property
    def conditions(self) -> tuple[SQLColumnExpression[bool], ...]:
        """Return the conditions of the rows that have a rank."""
        return *self.members, self.is_ranked(self.account)

    async def page(self, session: AsyncSession, cursor: str, limit: int) -> RankedPage[T]:
        """Return the rows after `cursor`, at most `limit`; the first page has the cursor "".

        Raise InvalidError `bad_cursor` for a cursor of another order.
        """
        values = _values(self.order.from_cursor(cursor)) if cursor else {}
        length = next((each for each in _PLANNED if each >= limit), None)
        if self.is_of_site and length:
            statement = _planned_pages(self, length)[bool(cursor)]
        else:
            statement, values = self._pages[bool(cursor)], {**values, _LIMIT: limit + 1}
        rows = (await session.execute(statement, values)).all()
        page = self.order.page(rows, limit, self._key)
        if not cursor:
            return RankedPage(self._ranked(page.rows, 1, 0), page.next)
        return RankedPage(await self._placed(session, page.rows), page.next)

    async def row_of(self, session: AsyncSession, account_id: int) -> T | None:
        """Return the row of an account, or None."""
        rows = (await session.execute(self._of_account, {_ACCOUNT: account_id})).all()
        return next(iter(await self._placed(session, rows)), None)

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
        return (await session.execute(self._rank, _values(key[: self.order.ties]))).scalar_one()

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
        """Replace the marks of the ranking, which is read in parts: whether a row is ranked is looked up."""
        found: dict[float, int] = {}
        key: Key | None = None
        counted = 0
        while rows := (await session.execute(self._marked_after(key))).all():
            for better, mark, *_key in rows:
                # If the part before ended with equal rows, the last of them has left the mark.
                found.setdefault(float(mark), counted + better)
            _better, _mark, *key = rows[-1]
            counted += len(rows) * marks.EVERY
        await session.execute(delete(RankingMark).where(RankingMark.ranking == self.name))
        if found:
            columns = {"ranking": self.name}
            new = [columns | {"value": value, "better": better} for value, better in found.items()]
            await session.execute(insert(RankingMark), new)

    def _marked_after(self, key: Key | None) -> Select[*tuple[Any, ...]]:
        """Return the query for the next rows after a key that leave marks, a few of them.

        Before its key, each has the number of rows since then that are better in what marks are of, and that.
        """
        after = true() if key is None else self.order.after(key)
        limit = _MARKS_AT_ONCE * marks.EVERY
        labelled = [column.label(f"key_{place}") for place, column in enumerate(self.order.expressions)]
        part = (
            select(*labelled).where(*self.conditions, after).order_by(*self.order.clauses).limit(limit)
        ).subquery()
        columns = tuple(part.c)
        clauses = self.order.clauses_of(columns)
        better = (func.rank().over(order_by=self.order.marked_clause(columns)) - 1).label("better")
        place = func.row_number().over(order_by=clauses).label("place")
        placed = select(place, better, self.order.marked(columns).label("mark"), *columns).subquery()
        _place, *marked = placed.c
        return select(*marked).where(placed.c.place % marks.EVERY == 0).order_by(placed.c.place)

    def _query(self) -> Select[*tuple[Any, ...]]:
        return self.rows.add_columns(*self.order.expressions).where(*self.conditions)

    @cached_property
    def _pages(self) -> _Pages:
        """Return the queries for pages, of which the limit is a parameter, too."""
        return self._pages_of(bindparam(_LIMIT))

    def _pages_of(self, limit: Any) -> _Pages:
        first = self._query().order_by(*self.order.clauses).limit(limit)
        return first, first.where(self.order.after(self.order.parameters))

    @cached_property
    def _of_account(self) -> Select[*tuple[Any, ...]]:
        return self._query().where(self.account == bindparam(_ACCOUNT))

    @cached_property
    def _rank(self) -> Select[int]:
        return select(self.order.rank(self.order.parameters, self.conditions, self.name))

    @cached_property
    def _place(self) -> Select[int, int]:
        """Return the query for the rank of a key, and for the number of rows with it that come before."""
        return self._rank.add_columns(self.order.tied_before(self.order.parameters, self.conditions))

    def _key(self, row: Sequence[Any]) -> Key:
        return row[-len(self.order.clauses) :]

    async def _placed(self, session: AsyncSession, rows: Sequence[Any]) -> tuple[T, ...]:
        """Make rows of the ranking from rows of the query that follow each other, wherever they begin."""
        if not rows:
            return ()
        rank, tied_before = (await session.execute(self._place, _values(self._key(rows[0])))).one()
        return self._ranked(rows, rank, tied_before)

    def _ranked(self, rows: Sequence[Any], rank: int, tied_before: int) -> tuple[T, ...]:
        """Make rows of the ranking from rows of the query that follow each other.

        The first one has a rank, which it shares with so many rows before it.
        """
        ranked: list[T] = []
        deciding: Key | None = None
        for place, row in enumerate(rows, rank + tied_before):
            key = self._key(row)[: self.order.ties]
            if deciding is not None and key != deciding:
                rank = place
            deciding = key
            try:  # noqa: SIM105 - a context for each row takes longer than the row
                ranked.append(self.read(rank, row))
            except UnreadableError:
                pass
        return tuple(ranked)


@lru_cache(_KEPT)
def _planned_pages(ranking: Ranking[Any], length: int) -> _Pages:
    """Return the queries for pages of a ranking of the site, each with one more row, and with constants."""
    first, later = ranking._pages_of(length + 1)  # noqa: SLF001 - of the same module
    return with_constants(first), with_constants(later)


def _values(key: Key) -> dict[str, Any]:
    """Return the values of the `parameters` of an order."""
    return {f"key_{place}": value for place, value in enumerate(key)}
