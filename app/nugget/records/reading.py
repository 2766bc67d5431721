"""The table of records and how they changed, read for pages and programs by indexes alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Annotated

from cachetools import TTLCache
from pydantic import Field
from sqlalchemy import ColumnElement, Select, SmallInteger, Text, func, literal, select, true, tuple_
from sqlalchemy.dialects.postgresql import ARRAY, distinct_on
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.rank_order import RankedPage, RankOrder
from app.core.database.session import Database
from app.core.web.shown import Hidden, Id, Opponent, Username, example
from app.nugget.bounds.proven import start_bound
from app.nugget.means import ShownMean
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
class BoardRecord:
    """The fewest moves known on a board as it is played: who was the first, and how many players have it.

    From where the board begins in that entry, no solution has fewer moves than `bound`; null if the entry was
    not published, except on board 1, which begins alike in all.
    """

    number: int
    moves: int
    bound: int | None = field(default=None, kw_only=True)
    username: Username | None
    entry_id: Id
    at: datetime
    count: int


@dataclass(frozen=True, slots=True)
class MeanRecord:
    """The best mean known over the first boards, as of a board."""

    boards: int
    mean: ShownMean
    username: Username | None
    entry_id: Id
    at: datetime
    count: int


@dataclass(frozen=True, slots=True)
class RecordsShown:
    """The records of each board and over the first 20, 50, 100 and 200 boards."""

    boards: Sequence[BoardRecord]
    means: Sequence[MeanRecord]


Kind = Annotated[str, example("mean")]


@dataclass(frozen=True, slots=True)
class RecordChangeShown:
    """A record that `username` took: `kind` is `mean`, over the first `boards`, or `board`, on that board.

    `before` and `from` are null if it is the first one. The mean over one board is its moves.
    """

    kind: Kind
    boards: int
    before: ShownMean | None
    after: ShownMean
    username: Username | None
    loser: Annotated[Opponent | None, Field(alias="from")]
    entry_id: Id
    at: datetime
    account_id: Hidden[int]
    loser_id: Hidden[int | None]


Taking = Sequence[RecordChangeShown]
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
_HELD: Select[RecordChange, str] = (
    select(RecordChange, SHOWN_NAME)
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

    async def table(self, players: str, boards: int) -> RecordsShown:
        """Return the records of the first boards."""
        async with self._database.reading_now() as session:
            held = (await session.execute(_current(players, boards))).all()
            of_boards = [row for row in held if row[0].kind == BOARD]
            # Two arrays: with a parameter for each value, planning takes longer than reading.
            arrays = func.unnest(
                literal([record.entry_id for record, _name in of_boards], ARRAY(Text)),
                literal([record.number for record, _name in of_boards], ARRAY(SmallInteger)),
            )
            places = arrays.table_valued("entry_id", "number", name="places").render_derived()
            is_of_record = tuple_(TreeStep.entry_id, TreeStep.number).in_(
                select(places.c.entry_id, places.c.number)
            )
            begun = await beginnings(session, BEGUN.where(is_of_record))
        bounds = {1: start_bound()}
        bounds |= {number: beginning.bound for (_entry, number), beginning in begun.items()}
        return RecordsShown(
            [
                BoardRecord(each.number, each.moves, *_held_by(each, name), bound=bounds.get(each.number))
                for each, name in of_boards
            ],
            [
                MeanRecord(each.number, _mean(each, each.moves), *_held_by(each, name))
                for each, name in held
                if each.kind == MEAN
            ],
        )

    async def fewest(self, number: int) -> int | None:
        """Return the fewest moves that anybody has on a board; a few seconds old, since each move asks."""
        fewest = self._fewest.get(EVERYBODY)
        if fewest is None:
            of_boards = _current(EVERYBODY, MAX_BOARDS).where(RecordChange.kind == BOARD)
            async with self._database.reading_now() as session:
                records = await session.scalars(of_boards)
                fewest = self._fewest[EVERYBODY] = {record.number: record.moves for record in records}
        return fewest.get(number)

    async def means(self, players: str, boards: int) -> list[tuple[datetime, Mean]]:
        """Return how the best mean over the first boards fell and when, the earliest first."""
        fell = _HELD.where(
            RecordChange.players == players, RecordChange.kind == MEAN, RecordChange.number == boards
        ).order_by(RecordChange.moves.desc())
        async with self._database.reading_now() as session:
            return [(each.at, _mean(each, each.moves)) for each in await session.scalars(fell)]

    async def changes(self, players: str, cursor: str, limit: int) -> RankedPage[RecordChangeShown]:
        """Return a page of what was taken, the latest first. Raise InvalidError `bad_cursor`."""
        query = _LATEST.select_page(_TAKEN.where(RecordChange.players == players), cursor, limit)
        async with self._database.reading_now() as session:
            found = [_change(*row) for row in await session.execute(query)]
        return _LATEST.page(found, limit, lambda taken: (taken.at, taken.entry_id, taken.kind, taken.boards))

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

    async def lost_by(self, account_id: int, after: datetime) -> list[RecordChangeShown]:
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
        return list({(each.kind, each.boards, each.entry_id): each for each in reversed(taken)}.values())


async def best_means(session: AsyncSession) -> Mapping[int, Mean]:
    """Return the records of everybody over the first boards, by their numbers."""
    of_means = _current(EVERYBODY, MAX_BOARDS).where(RecordChange.kind == MEAN)
    return {each.number: _mean(each, each.moves) for each in await session.scalars(of_means)}


def _current(players: str, boards: int) -> Select[RecordChange, str]:
    """Return the query for the records of the first boards, and the names of those who have them."""
    key = (RecordChange.kind, RecordChange.number)
    of_boards = _HELD.where(RecordChange.players == players, RecordChange.number <= boards)
    return of_boards.ext(distinct_on(*key)).order_by(*key, RecordChange.moves)


async def _taken(session: AsyncSession, *conditions: ColumnElement[bool]) -> list[RecordChangeShown]:
    query = _TAKEN.where(*conditions).order_by(*_LATEST.clauses)
    return [_change(*row) for row in await session.execute(query)]


def _change(
    record: RecordChange, name: str | None, loser_id: int | None, loser: str | None, before: int | None
) -> RecordChangeShown:
    return RecordChangeShown(
        record.kind,
        record.number,
        None if before is None else _mean(record, before),
        _mean(record, record.moves),
        name,
        loser,
        record.entry_id,
        record.at,
        record.account_id,
        loser_id,
    )


def _held_by(record: RecordChange, name: str | None) -> tuple[str | None, str, datetime, int]:
    """Return what is shown of who was the first to have a record, and of how many have it."""
    return name, record.entry_id, record.at, record.holders


def _mean(record: RecordChange, moves: int) -> Mean:
    return Mean(moves, record.number if record.kind == MEAN else 1)
