"""SQLAlchemy's statements that are made once, or executed by asyncpg without a session."""

from collections.abc import Callable, Sequence
from functools import cache, wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from sqlalchemy import (
    ARRAY,
    BindParameter,
    ColumnElement,
    any_,
    bindparam,
    cast,
    literal_column,
)
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.orm import QueryableAttribute
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.visitors import replacement_traverse

if TYPE_CHECKING:
    import asyncpg

Connection: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
"""A connection of asyncpg, without a session."""

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record] | Connection"

_ANSWER_WITHIN = 5.0  # seconds

P = ParamSpec("P")
S = TypeVar("S", bound=ClauseElement)


def made_once(make: Callable[P, S]) -> Callable[P, tuple[S, dict[str, Any]]]:
    """Decorate a function that makes a statement from values, so that it makes the statement only once.

    The statement has parameters in place of the values. The function returns both, for `session.execute`.
    Making a statement takes longer than executing it.
    """
    names = tuple(signature(make).parameters)

    @cache
    def statement() -> S:
        return make(**{name: bindparam(name) for name in names})  # type: ignore[arg-type, call-arg]

    @wraps(make)
    def of_values(*values: P.args, **named: P.kwargs) -> tuple[S, dict[str, Any]]:
        return statement(), dict(zip(names, values, strict=False)) | named

    return of_values


def with_constants(statement: S) -> S:
    """Return a statement with its constants in its text, and not as parameters.

    PostgreSQL cannot know that a parameter never changes, and may plan the statement again for each
    execution, which takes longer than executing most of these.
    """
    dialect = PGDialect_asyncpg()  # type: ignore[no-untyped-call]

    def written(element: Any, **_options: Any) -> Any:
        if not isinstance(element, BindParameter) or not element.unique:  # those with a name get values
            return None
        text = element.compile(dialect=dialect, compile_kwargs={"literal_binds": True})
        return literal_column(str(text), element.type)

    whole: Any = statement
    replaced: S = replacement_traverse(whole, {}, written)
    return replaced


def is_one_of(
    column: ColumnElement[Any] | QueryableAttribute[Any], ids: Sequence[int] | Sequence[str]
) -> ColumnElement[bool]:
    """Return the condition that a column has one of any number of ids, or of a parameter that is a list.

    They are one value, an array: `in_` would make each of them a value, and fails with more than 32,767.
    """
    return column == any_(cast(ids, ARRAY(column.type)))


class DirectStatement:
    """A statement that is executed all the time: a session would take several times as long as the rest.

    Its rows are those of asyncpg, with JSON as text. Raise TimeoutError if it takes longer than 5 seconds.
    """

    def __init__(self, statement: ClauseElement) -> None:
        compiled: Any = statement.compile(dialect=PGDialect_asyncpg())  # type: ignore[no-untyped-call]
        self._text = str(compiled)
        self._names: list[str] = compiled.positiontup
        self._values = compiled.params

    async def rows(self, pool: Pool, **values: Any) -> "list[asyncpg.Record]":
        """Return the rows for these values of the statement's parameters."""
        values = {**self._values, **values}
        return await pool.fetch(self._text, *(values[name] for name in self._names), timeout=_ANSWER_WITHIN)

    async def row(self, pool: Pool, **values: Any) -> "asyncpg.Record | None":
        """Return the first row, or None."""
        return next(iter(await self.rows(pool, **values)), None)

    async def is_true(self, pool: Pool, **values: Any) -> bool:
        """Return the answer of a statement that asks whether something is so."""
        (row,) = await self.rows(pool, **values)
        return bool(row[0])
