"""SQLAlchemy's statements, executed by asyncpg without a session."""

from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.sql import ClauseElement

if TYPE_CHECKING:
    import asyncpg

    Pool = asyncpg.Pool[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]


_ANSWER_WITHIN = 5.0  # seconds


class DirectStatement:
    """A statement that is executed all the time: a session would take several times as long as the rest.

    Its rows are those of asyncpg, with JSON as text. Raise TimeoutError if it takes longer than 5 seconds.
    """

    def __init__(self, statement: ClauseElement) -> None:
        compiled: Any = statement.compile(dialect=PGDialect_asyncpg())  # type: ignore[no-untyped-call]
        self._text = str(compiled)
        self._names: list[str] = compiled.positiontup
        self._values = compiled.params

    async def rows(self, pool: "Pool", **values: Any) -> "list[asyncpg.Record]":
        """Return the rows for these values of the statement's parameters."""
        values = {**self._values, **values}
        return await pool.fetch(self._text, *(values[name] for name in self._names), timeout=_ANSWER_WITHIN)

    async def row(self, pool: "Pool", **values: Any) -> "asyncpg.Record | None":
        """Return the first row, or None."""
        return next(iter(await self.rows(pool, **values)), None)

    async def is_true(self, pool: "Pool", **values: Any) -> bool:
        """Return the answer of a statement that asks whether something is so."""
        (row,) = await self.rows(pool, **values)
        return bool(row[0])
