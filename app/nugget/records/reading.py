"""The table of records and how they changed, read for pages and programs by indexes alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from cachetools import TTLCache
from sqlalchemy import ColumnElement, Select, SmallInteger, Text, func, literal, select, true, tuple_
from sqlalchemy.dialects.postgresql import ARRAY, distinct_on
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.rank_order import RankedPage, RankOrder
from app.core.database.session import Database
from app.nugget.bounds.proven import start_bound
from app.nugget.rankings import Point
from app.nugget.records.keeping import BOARD, EVERYBODY, MEAN
from app.nugget.records.models import RecordChange
from app.nugget.tree.models import TreeStep
from app.nugget.tree.reading import BEGUN, beginnings
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked
from engine.golden_nugget.board import MAX_BOARDS
from engine.golden_nugget.ranking import Mean

_FEWEST_KEPT = 10  # seconds


@dataclass(frozen=True, slots=True)
class RecordHeld:
    """A record: whose it is, since when, and how many players have it. `kind` is BOARD or MEAN."""

    kind: str
    number: int
    moves: int
    account_id: int
    username: str | None
    entry_id: str
    at: datetime
    count: int

    @property
    def boards(self) -> int:
        """Return its number, of a record over boards."""
        return self.number

    @property
    def mean(self) -> Mean:
        """Return the moves as a mean over the boards of the record."""
        return _mean(self.kind, self.number, self.moves)


@dataclass(frozen=True, slots=True)
class RecordTaken(RecordHeld):
    """A record that somebody took: from whom, and what it was before; None for the first one."""

    loser_id: int | None
    loser: str | None
    moves_before: int | None

    @property
    def before(self) -> Mean | None:
        """Return what the record was before, as `mean` does."""
        return None if self.moves_before is None else _mean(self.kind, self.number, self.moves_before)


@dataclass(frozen=True, slots=True)
class RecordTable:
    """The records of the first boards, each board alone and together.

    No solution of a board has fewer moves than its bound, by its number and from where it begins in the entry
    that has the record. Where the boards of an entry that was not published begin is secret, except board 1.
    """

    boards: Sequence[RecordHeld]
    means: Sequence[RecordHeld]
    bounds: Mapping[int, int]


Taking = Sequence[RecordTaken]
"""All that one entry took: over the most boards first, then board by board."""

_before = aliased(RecordChange)
_BEFORE = (
    select(_before.account_id, _before.moves)
    .where(
        _before.players == RecordChange.players,
        _before.kind == RecordChange.kind,
        _before.number == RecordChange.number,
        _before.moves > RecordChange.moves,
    )
    .order_by(_before.moves)
    .limit(1)
    .lateral()
)
_loser = aliased(Account)
_HELD: Select[*tuple[Any, ...]] = (
    select(
        RecordChange.kind,
        RecordChange.number,
        RecordChange.moves,
        RecordChange.account_id,
        SHOWN_NAME,
        RecordChange.entry_id,
        RecordChange.at,
        RecordChange.holders,
    )
    .join(Account, Account.id == RecordChange.account_id)
    .where(is_ranked(RecordChange.account_id))
)
_loser_name = select(_loser.username).where(_loser.id == _BEFORE.c.account_id, _loser.closed_at.is_(None))
_TAKEN = _HELD.add_columns(_BEFORE.c.account_id, _loser_name.scalar_subquery(), _BEFORE.c.moves).outerjoin(
    _BEFORE, onclause=true()
)
_LATEST = RankOrder(
    RecordChange.at.desc(),
    RecordChange.entry_id,
    RecordChange.kind.desc(),
    RecordChange.number.desc(),
    ties=4,
)
_LATEST_ENTRIES = RankOrder(RecordChange.at.desc(), RecordChange.entry_id, ties=2)


class Records:
    """The records of Golden Nugget among PLAYERS."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._fewest: TTLCache[str, Mapping[int, int]] = TTLCache(maxsize=1, ttl=_FEWEST_KEPT)

    async def table(self, players: str, boards: int) -> RecordTable:
        """Return the records of the first boards."""
        key = (RecordChange.kind, RecordChange.number)
        current = (
            _HELD.ext(distinct_on(*key))
            .where(RecordChange.players == players, RecordChange.number <= boards)
            .order_by(*key, RecordChange.moves)
        )
        async with self._database.reading_now() as session:
            held = [RecordHeld(*row) for row in await session.execute(current)]
            of_boards = [record for record in held if record.kind == BOARD]
            # Two arrays: with a parameter for each value, planning takes longer than reading.
            arrays = func.unnest(
                literal([record.entry_id for record in of_boards], ARRAY(Text)),
                literal([record.number for record in of_boards], ARRAY(SmallInteger)),
            )
            places = arrays.table_valued("entry_id", "number", name="places").render_derived()
            is_of_record = tuple_(TreeStep.entry_id, TreeStep.number).in_(
                select(places.c.entry_id, places.c.number)
            )
            begun = await beginnings(session, BEGUN.where(is_of_record))
        return RecordTable(
            of_boards,
            [record for record in held if record.kind == MEAN],
            {1: start_bound(), **{number: beginning.bound for (_entry, number), beginning in begun.items()}},
        )

    async def fewest(self, number: int) -> int | None:
        """Return the fewest moves that anybody has on a board; a few seconds old, since each move asks."""
        if EVERYBODY not in self._fewest:
            table = await self.table(EVERYBODY, MAX_BOARDS)
            self._fewest[EVERYBODY] = {record.number: record.moves for record in table.boards}
        return self._fewest[EVERYBODY].get(number)

    async def means(self, players: str, boards: int) -> list[Point]:
        """Return how the best mean over the first boards fell, the earliest first."""
        fell = _HELD.where(
            RecordChange.players == players, RecordChange.kind == MEAN, RecordChange.number == boards
        ).order_by(RecordChange.moves.desc())
        async with self._database.reading_now() as session:
            held = [RecordHeld(*row) for row in await session.execute(fell)]
        return [Point(record.entry_id, record.account_id, record.at, record.mean) for record in held]

    async def changes(self, players: str, cursor: str, limit: int) -> RankedPage[RecordTaken]:
        """Return a page of what was taken, the latest first. Raise InvalidError `bad_cursor`."""
        query = _LATEST.select_page(_TAKEN.where(RecordChange.players == players), cursor, limit)
        async with self._database.reading_now() as session:
            found = [RecordTaken(*row) for row in await session.execute(query)]
        return _LATEST.page(found, limit, lambda taken: (taken.at, taken.entry_id, taken.kind, taken.number))

    async def takings(self, players: str, cursor: str, limit: int) -> RankedPage[Taking]:
        """Return a page of the entries that took records, the latest first.

        Raise InvalidError `bad_cursor`.
        """
        entries = (
            select(RecordChange.at, RecordChange.entry_id)
            .where(RecordChange.players == players, is_ranked(RecordChange.account_id))
            .distinct()
        )
        async with self._database.reading_now() as session:
            rows = (await session.execute(_LATEST_ENTRIES.select_page(entries, cursor, limit))).all()
            page = _LATEST_ENTRIES.page(rows, limit, tuple)
            taken = await _taken(
                session,
                RecordChange.players == players,
                RecordChange.entry_id.in_([entry_id for _at, entry_id in page.rows]),
            )
        takings = tuple(tuple(each) for _entry, each in groupby(taken, lambda taken: taken.entry_id))
        return RankedPage(takings, page.next)

    async def lost_by(self, account_id: int, after: datetime) -> list[RecordTaken]:
        """Return the records that others have taken from an account after a moment, the earliest first.

        Those among people are those among everybody, too, unless a computer has them.
        """
        async with self._database.reading_now() as session:
            taken = await _taken(
                session,
                RecordChange.at > after,
                _BEFORE.c.account_id == account_id,
                RecordChange.account_id != account_id,
            )
        return list({(each.kind, each.number, each.entry_id): each for each in reversed(taken)}.values())


async def _taken(session: AsyncSession, *conditions: ColumnElement[bool]) -> list[RecordTaken]:
    query = _TAKEN.where(*conditions).order_by(*_LATEST.clauses)
    return [RecordTaken(*row) for row in await session.execute(query)]


def _mean(kind: str, number: int, moves: int) -> Mean:
    return Mean(moves, number if kind == MEAN else 1)
