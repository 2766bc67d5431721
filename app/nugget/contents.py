"""What stored records contain: moves, boards and cycles, as long as they are not secret."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sqlalchemy import Select, select

from app.core.database.session import Database
from app.core.database.statements import made_once
from app.core.database.unreadable import read
from app.core.errors import ForbiddenError, NotFoundError
from app.core.i18n.text import _
from app.nugget.models import Entry
from app.nugget.queries import EntryOutline, EntryRecord
from app.nugget.standings import RankingRow
from engine.golden_nugget import cycle
from engine.golden_nugget.board import START, Move, turn
from engine.golden_nugget.cycle import Cycle
from engine.golden_nugget.play import Play, read_moves
from engine.golden_nugget.record import parse


def record_of(entry: EntryOutline | EntryRecord) -> str:
    """Return the record of an entry. Raise ForbiddenError while it is secret."""
    if entry.record is None:
        raise ForbiddenError("not_published", _("The moves of this entry have not been published."))
    return entry.record


async def boards_of(entry: EntryOutline | EntryRecord) -> Sequence[Play]:
    """Return the boards of an entry, played to their ends. Raise ForbiddenError while they are secret."""
    return await plays_of(entry.id, record_of(entry))


def board_at(boards: Sequence[Play], number: int) -> Play:
    """Return a board by its number, from 1 on. Raise NotFoundError."""
    if not 1 <= number <= len(boards):
        raise NotFoundError("board")
    return boards[number - 1]


async def plays_of(entry_id: str, record: str) -> Sequence[Play]:
    """Return the boards of a stored record, played to their ends."""
    return await asyncio.to_thread(read, Entry.__tablename__, entry_id, _played, record)


async def cycle_of(entry: EntryOutline) -> Cycle | None:
    """Return the cycle of an entry, None if it repeats no boards. Raise ForbiddenError while it is secret."""
    record = record_of(entry)
    return await asyncio.to_thread(read, Entry.__tablename__, entry.id, _cycle, record)


async def first_readable(database: Database, rows: Iterable[RankingRow]) -> tuple[RankingRow, str] | None:
    """Return the first of some ranked entries whose moves everybody may see, with its record, if any."""
    first = next((row for row in rows if row.published), None)
    if first is None:
        return None
    async with database.reading() as session:
        record = await session.scalar(*_record(first.entry_id))
    return (first, record) if record is not None else None


@made_once
def _record(entry_id: str) -> Select[str]:
    return select(Entry.record).where(Entry.id == entry_id)


@lru_cache(maxsize=32)  # the leader's, which every visitor sees
def _cycle(record: str) -> Cycle | None:
    return cycle.cycle_of(parse(record).record)


@lru_cache(maxsize=32)  # who looks at one board looks at others
def _played(record: str) -> Sequence[Play]:
    boards, start = [], START
    for number, moves in enumerate(moves_in(record), start=1):
        boards.append(Play(number, start, moves))
        start = turn(boards[-1].board)
    return boards


@lru_cache(maxsize=4)  # the leader's, which every visitor sees
def first_moves(record: str) -> Sequence[Move]:
    """Return the moves on board 1 of a stored record."""
    return moves_in(record)[0]


def moves_in(record: str) -> list[tuple[Move, ...]]:
    """Return the moves of a stored record, board by board."""
    return [read_moves(" ".join(board.moves)) for board in parse(record).record.boards]
