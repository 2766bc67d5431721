"""Stored rows that cannot be read.

A row that cannot be read hurts itself only: whatever turns a stored row into a value calls `read` for one row
and `readable` for a list. Both note the row in the register of this process, which writes it into a table for
the operators, so that it is logged once whatever reads it how often.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

import structlog
from sqlalchemy import func, inspect
from sqlalchemy.orm import Mapped, mapped_column

from app.core import metrics
from app.core.database.base import Base
from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database
from app.core.errors import AppError
from app.core.i18n.text import _

if TYPE_CHECKING:
    import asyncpg

log = structlog.get_logger()

T = TypeVar("T")

_WRITE_EVERY = 2.0  # seconds
_MOST_AT_ONCE = 500  # rows that are noted until they are written; others are noted when they are read again
_LONGEST_ERROR = 500  # characters
_KEPT_FOR = timedelta(days=30)

_ADD: Final = """
INSERT INTO unreadable_rows (kind, id, reader, error)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
ON CONFLICT DO NOTHING RETURNING kind, id, error
"""
_REMOVE: Final = """
DELETE FROM unreadable_rows known USING unnest($1::text[], $2::text[], $3::text[])
    AS now_read (kind, id, reader)
WHERE (known.kind, known.id, known.reader) = (now_read.kind, now_read.id, now_read.reader)
"""
_KNOWN: Final = "SELECT kind, id, reader FROM unreadable_rows"


class UnreadableRow(Base):
    """A row of the table `kind`, with its primary key as text, that the function `reader` could not read."""

    __tablename__ = "unreadable_rows"

    kind: Mapped[str] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(primary_key=True)
    reader: Mapped[str]
    error: Mapped[str]
    first_seen_at: Mapped[datetime] = mapped_column(server_default=func.now())


_Place = tuple[str, str]
"""A table, and the primary key of a row in it as text."""


class UnreadableError(AppError):
    """What is stored cannot be read."""

    def __init__(self) -> None:
        message = _("This cannot be read at the moment. The operators of the server have been told.")
        super().__init__("unreadable", 409, message)


class _Register:
    """The unreadable rows that this process knows of; also used by threads."""

    def __init__(self) -> None:
        self._known: dict[_Place, str] = {}  # which function could not read it
        self._failed: dict[_Place, tuple[str, str]] = {}  # the function, and the error
        self._read_again: dict[_Place, str] = {}

    @property
    def is_empty(self) -> bool:
        return not self._known

    def failed(self, place: _Place, reader: str, error: Exception) -> None:
        self._read_again.pop(place, None)
        if place not in self._known and len(self._failed) < _MOST_AT_ONCE:
            self._failed.setdefault(place, (reader, _description(error)))

    def succeeded(self, place: _Place, reader: str) -> None:
        # What one function can read, another one may not be able to.
        if self._known.get(place) == reader:
            self._read_again[place] = reader

    async def write(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        """Write what has been noted, and learn what other processes have."""
        failed, read_again = dict(self._failed), dict(self._read_again)
        if read_again:
            await pool.execute(_REMOVE, *_columns((*place, reader) for place, reader in read_again.items()))
        if failed:
            rows = await pool.fetch(_ADD, *_columns((*place, *why) for place, why in failed.items()))
            for row in rows:
                log.error("row_unreadable", kind=row["kind"], id=row["id"], error=row["error"])
        for place in failed:
            self._failed.pop(place, None)
        for place in read_again:
            self._read_again.pop(place, None)
        self._known = {(row["kind"], row["id"]): row["reader"] for row in await pool.fetch(_KNOWN)}
        metrics.UNREADABLE_ROWS.clear()
        for kind, count in Counter(kind for kind, _id in self._known).items():
            metrics.UNREADABLE_ROWS.labels(kind).set(count)


_register = _Register()


def read(kind: str, id_: object, parse: Callable[..., T], *arguments: Any) -> T:
    """Return what `parse` makes of a row of the table `kind`. Raise UnreadableError if it raises anything.

    `parse` must only look at its arguments, so that its errors are errors of the row.
    """
    return _read(lambda: (kind, str(id_)), parse, arguments)


def read_row(parse: Callable[..., T], *row: Any) -> T:
    """Return what `parse` makes of a row: an object of a table, and what else was selected with it.

    Raise UnreadableError as `read` does.
    """
    return _read(lambda: _place(row[0]), parse, row)


def readable(parse: Callable[..., T], rows: Iterable[Any]) -> list[T]:
    """Return what `parse` makes of each row, as `read_row` does, without those that cannot be read."""
    values = []
    for row in rows:
        try:  # noqa: SIM105 - a context for each row takes longer
            values.append(read_row(parse, *((row,) if isinstance(row, Base) else row)))
        except UnreadableError:
            pass
    return values


def readable_page(parse: Callable[..., T], rows: Sequence[Any], limit: int) -> tuple[list[T], bool]:
    """Return what is readable of the first `limit` rows, and whether there are more rows."""
    return readable(parse, rows[:limit]), len(rows) > limit


async def delete_old_notes(database: Database) -> None:
    """Forget rows that were noted a month ago: one that is still unreadable is noted when it is read again.

    Otherwise those that nobody reads any more, or that are read by a function of another name, would stay.
    """
    await delete_in_parts(database, UnreadableRow, UnreadableRow.first_seen_at < func.now() - _KEPT_FOR)


async def register_unreadable(pool: "asyncpg.Pool[asyncpg.Record]") -> None:
    """Write the unreadable rows that this process comes across into their table, until cancelled."""
    while True:
        await _register.write(pool)
        await asyncio.sleep(_WRITE_EVERY)


def _read(place: Callable[[], _Place], parse: Callable[..., T], arguments: tuple[Any, ...]) -> T:
    try:
        value = parse(*arguments)
    except UnreadableError:
        raise  # a part of it, which has been noted
    except Exception as error:
        _register.failed(place(), _name_of(parse), error)
        raise UnreadableError from error
    if not _register.is_empty:
        _register.succeeded(place(), _name_of(parse))
    return value


def _name_of(parse: Callable[..., object]) -> str:
    return f"{parse.__module__}.{parse.__qualname__}"


def _place(entity: Base) -> _Place:
    return entity.__tablename__, ",".join(map(str, inspect(entity).identity or ()))


def _description(error: Exception) -> str:
    """Return an error as a text that PostgreSQL can store."""
    text = f"{type(error).__name__}: {error}".replace("\0", "")
    return text.encode(errors="replace").decode()[:_LONGEST_ERROR]


def _columns(rows: Iterable[tuple[str, ...]]) -> Iterable[list[str]]:
    return map(list, zip(*rows, strict=True))
