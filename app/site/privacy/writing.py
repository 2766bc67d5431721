"""Writing the ZIP file of an export: JSON for each table, and the records of games and entries as text."""

import io
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

from sqlalchemy import ColumnElement, case, select

from app.core import json
from app.core.database.base import personal_tables, rows_of, table
from app.core.database.personal import Personal
from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read
from app.nugget.models import Entry, Run, RunBoard
from app.people.identity import audit
from app.people.identity.models import Account, SecurityEvent
from app.play.games.export import export as record_of
from app.play.games.models import Game
from app.play.games.queries import played_by
from app.play.games.service import Games

PART = 256 * 1024  # bytes
_ROWS = 200  # that are read at a time


class _Sink(io.RawIOBase):
    """A file that is only written, whose content is taken away in parts."""

    def __init__(self) -> None:
        self._content = bytearray()

    def write(self, data: Any) -> int:
        self._content += data
        return len(data)

    def __len__(self) -> int:
        return len(self._content)

    def take(self, most: int) -> bytes:
        part = bytes(self._content[:most])
        del self._content[:most]
        return part


async def write(
    database: Database, games: Games, account_id: int, keep: Callable[[bytes], Awaitable[None]]
) -> None:
    """Pass the ZIP file with the data of an account to `keep`, in parts of at most PART bytes."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        async for name, content in _files(database, games, account_id):
            with archive.open(name, "w") as file:
                async for piece in content:
                    file.write(piece)
                    while len(sink) >= PART:
                        await keep(sink.take(PART))
    while len(sink):
        await keep(sink.take(PART))


async def _files(
    database: Database, games: Games, account_id: int
) -> AsyncIterator[tuple[str, AsyncIterator[bytes]]]:
    accounts = Account.__table__
    own = select(*(column for column in accounts.c if column.name != "password_hash"))
    yield "account.json", _json(database, own.where(accounts.c.id == account_id))
    for name, personal in personal_tables().items():
        owners = personal.owners if personal.exported_by is None else personal.exported_by
        if owners:
            rows = select(*_columns(name, personal)).where(rows_of(account_id, name, owners))
            yield f"{name}.json", _json(database, rows)
    boards = select(*RunBoard.__table__.c).join(Run, Run.id == RunBoard.run_id)
    boards = boards.where(Run.account_id == account_id).order_by(RunBoard.run_id, RunBoard.number)
    yield "nugget_boards.json", _json(database, boards)
    async for (game_id,) in _rows(database, select(Game.id).where(played_by(account_id))):
        yield f"games/{game_id}.txt", _text(await _record(games, game_id))
    entries = select(Entry.id, Entry.record).where(Entry.account_id == account_id)
    async for entry_id, record in _rows(database, entries):
        yield f"entries/{entry_id}.txt", _text(record)


def _columns(name: str, personal: Personal) -> Iterator[ColumnElement[Any]]:
    """Yield what an export has of a table; whom a row concerns beside its owner is there by name, too."""
    columns = table(name).c
    yield from (_of_owner(column) for column in columns if column.name not in personal.secret)
    if len(personal.owners) > 1:
        for owner in personal.owners:
            username = select(Account.username).where(Account.id == columns[owner])
            yield username.scalar_subquery().label(f"{owner.removesuffix('_id')}_name")


def _of_owner(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Return a column; of the audit log without who acted for the operator, and from where."""
    events = SecurityEvent.__table__.c
    for of_source, shown in ((events.browser, audit.OPERATOR.browser), (events.network, "")):
        if column is of_source:
            return case((audit.is_by_operator(), shown), else_=column).label(column.name)
    return column


async def _record(games: Games, game_id: str) -> str:
    """Return the record of a game, or a sentence if it cannot be read: the rest is exported all the same."""
    try:
        return read(Game.__tablename__, game_id, record_of, await games.get(game_id))
    except UnreadableError as error:
        return f"{error.message}\n"


async def _json(database: Database, query: Any) -> AsyncIterator[bytes]:
    """Yield the rows of a query as a JSON array of objects."""
    separator = b"[\n"
    async for row in _rows(database, query):
        columns = row._mapping.items()  # noqa: SLF001 - its public API
        shown = {name: value.hex() if isinstance(value, bytes) else value for name, value in columns}
        yield separator + json.encode(shown)
        separator = b",\n"
    yield b"\n]\n" if separator == b",\n" else b"[]\n"


async def _text(text: str) -> AsyncIterator[bytes]:
    yield text.encode()


async def _rows(database: Database, query: Any) -> AsyncIterator[Any]:
    """Yield the rows of a query, of which only some are read at a time."""
    async with database.transaction() as session:
        async for row in await session.stream(query, execution_options={"yield_per": _ROWS}):
            yield row
