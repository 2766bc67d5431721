"""The rankings and the best mean over time, read for pages and programs, each in one transaction."""

import contextlib
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from cachetools import TTLCache
from sqlalchemy import (
    ARRAY,
    ColumnElement,
    Select,
    Text,
    and_,
    bindparam,
    column,
    exists,
    func,
    or_,
    select,
    true,
)
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.rank_order import RankedPage
from app.core.database.session import Database
from app.core.database.statements import is_one_of, made_once
from app.core.database.unreadable import UnreadableError, read
from app.core.moments import EPOCH
from app.nugget import standings
from app.nugget.models import Competition, Entry, LedgerLink, Standing
from app.nugget.standings import RankingRow
from app.nugget.visibility import IS_SEALED
from app.people.identity.models import Account
from app.people.identity.ranked import HAS_LEFT, SHOWN_NAME, is_ranked
from engine.golden_nugget.ranking import Mean, mean_of

_RIVALS_KEPT = 10  # seconds
_LATEST = 1_000
"""The most entries of the plot, the latest."""
_PART = 10_000  # entries that a statement reads

_VISIBLE = (Entry.withdrawn_at.is_(None), Entry.is_own, ~IS_SEALED, is_ranked(Entry.account_id))
_POINTS = select(Entry.id, Entry.account_id, Entry.submitted_at, Entry.counts).where(*_VISIBLE)

_NAMES = (
    func.unnest(bindparam("names", type_=ARRAY(Text))).table_valued(column("name", Text)).render_derived()
)
_FIRST = (
    select(Standing.account_id)
    .where(Standing.ranking == _NAMES.c.name, is_ranked(Standing.account_id))
    .order_by(*standings.ranking(standings.WORLD).order.clauses)
    .limit(1)
    .lateral()
)
_WINNERS = (
    select(_NAMES.c.name, SHOWN_NAME)
    .join_from(_NAMES, _FIRST, true())
    .join(Account, Account.id == _FIRST.c.account_id)
)
"""Who is first in each of the rankings with some `names`."""


@dataclass(frozen=True, slots=True)
class Point:
    """An entry in time. Its player has no name here, which may change or be erased while this is cached."""

    entry_id: str
    account_id: int
    at: datetime
    mean: Mean


@dataclass(frozen=True, slots=True)
class Rivals:
    """Whom a player has to beat in the ranking of all time: its leader, and the own best entry.

    `own` is None for a player who has no entry, or leads.
    """

    leader: RankingRow | None
    own: RankingRow | None


class _Version(NamedTuple):
    """What decides the history.

    That is the number of the last link of the ledger, the last end of a sealed competition, the last time
    that an accepted entry became assisted or common, and a hash of the accounts that are not ranked any more.
    """

    link: int
    unsealed: datetime | None
    assisted: datetime | None
    left: int | None


@dataclass(frozen=True, slots=True)
class History:
    """The latest entries, and all those with a smaller mean than every earlier one; the earliest first.

    `version` changes whenever either of them does. `gone` are the players with entries who are not ranked
    any more.
    """

    version: _Version
    gone: frozenset[int]
    entries: tuple[Point, ...]
    records: tuple[Point, ...]


_VERSION = select(
    select(func.coalesce(func.max(LedgerLink.sequence), 0)).scalar_subquery(),
    select(func.max(Competition.ends_at))
    .where(Competition.visibility == "sealed", Competition.ends_at <= func.now())
    .scalar_subquery(),
    select(func.max(Entry.assisted_at)).scalar_subquery(),
    func.bit_xor(func.hashint8extended(Account.id, 0)),
).where(HAS_LEFT)
_GONE = select(Account.id).where(HAS_LEFT, exists().where(Entry.account_id == Account.id))


class HistoryReader:
    """Reads the history and caches it until it changes."""

    def __init__(self) -> None:
        self._cached: History | None = None

    async def read(self, session: AsyncSession) -> History:
        """Return the current history."""
        version = _Version(*(await session.execute(_VERSION)).one())
        if self._cached is None or self._cached.version != version:
            self._cached = await self._extended(session, version) or await _complete(session, version)
        return self._cached

    async def _extended(self, session: AsyncSession, version: _Version) -> History | None:
        """Return the cached history with the new entries, or None if more has changed than that.

        Reading all entries of a large competition takes seconds, and nearly every change is a new entry.
        """
        cached = self._cached
        if cached is None or cached.version.unsealed != version.unsealed:
            return None
        gone = cached.gone if cached.version.left == version.left else await _gone(session)
        if cached.gone - gone:  # somebody has come back, with older entries
            return None
        shown = {point.entry_id for point in (*cached.entries, *cached.records)}
        still_visible = select(func.count()).where(Entry.id.in_(shown), *_VISIBLE)
        if await session.scalar(still_visible) != len(shown):
            return None
        added = select(LedgerLink.entry_id).where(LedgerLink.sequence > cached.version.link)
        is_new = Entry.id.in_(added), Entry.id.not_in(shown)  # it may have been read before its link counted
        points = await _read(session, _POINTS.where(*is_new).order_by(Entry.submitted_at))
        # What was revealed has its place among earlier ones.
        entries = sorted((*cached.entries, *points), key=_moment)
        records: list[Point] = []
        for point in sorted((*cached.records, *points), key=_moment):
            if not records or point.mean.key < records[-1].mean.key:
                records.append(point)
        return History(version, gone, tuple(entries[-_LATEST:]), tuple(records))


async def holders(session: AsyncSession, history: History) -> Mapping[int, str | None]:
    """Return the names of the players who set the records, by their accounts; None for a closed account."""
    ids = {record.account_id for record in history.records}
    return dict((await session.execute(*_names(list(ids)))).all())


@made_once
def _names(ids: Sequence[int]) -> Select[int, str | None]:
    return select(Account.id, SHOWN_NAME).where(is_one_of(Account.id, ids))


async def _complete(session: AsyncSession, version: _Version) -> History:
    latest = await _read(session, _POINTS.order_by(Entry.submitted_at.desc()).limit(_LATEST))
    records: list[Point] = []
    after: datetime | None = EPOCH
    while after is not None:
        end = await session.scalar(_end_of_part(after))
        is_in_part = and_(Entry.submitted_at > after, true() if end is None else Entry.submitted_at <= end)
        records += await _read(session, _better(is_in_part, records[-1].mean.key if records else None))
        after = end
    return History(version, await _gone(session), tuple(latest[::-1]), tuple(records))


async def _gone(session: AsyncSession) -> frozenset[int]:
    return frozenset(await session.scalars(_GONE))


def _end_of_part(after: datetime) -> Select[datetime]:
    """Return the query for the time of the last entry of a part, none in the last part."""
    following = select(Entry.submitted_at).where(Entry.submitted_at > after)
    return following.order_by(Entry.submitted_at).offset(_PART - 1).limit(1)


def _better(is_in_part: ColumnElement[bool], best: int | None) -> Select[*tuple[Any, ...]]:
    """Return the query for the entries of a part with a smaller mean than all before them, and than `best`.

    Others are left out by an index on their times and means.
    """
    is_better = true() if best is None else Entry.mean_key < best
    before = func.min(Entry.mean_key).over(order_by=(Entry.submitted_at, Entry.id), rows=(None, -1))
    found = (
        select(Entry.id, Entry.mean_key, before.label("before"))
        .where(is_in_part, is_better, *_VISIBLE)
        .subquery()
    )
    ids = select(found.c.id).where(or_(found.c.before.is_(None), found.c.mean_key < found.c.before))
    return _POINTS.where(Entry.id.in_(ids)).order_by(Entry.submitted_at, Entry.id)


async def _read(session: AsyncSession, query: Select[*tuple[Any, ...]]) -> list[Point]:
    points = []
    for row in await session.execute(query):
        with contextlib.suppress(UnreadableError):
            points.append(read(Entry.__tablename__, row.id, _point, row))
    return points


def _moment(point: Point) -> datetime:
    return point.at


def _point(row: Any) -> Point:
    return Point(row.id, row.account_id, row.submitted_at, mean_of(row.counts))


class Rankings:
    """The rankings by their names, which `standings.name_of` and `standings.of_competition` return."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._history = HistoryReader()
        self._rivals: TTLCache[int, Rivals] = TTLCache(maxsize=1_000, ttl=_RIVALS_KEPT)

    async def page(self, name: str, cursor: str, limit: int) -> RankedPage[RankingRow]:
        """Return a page of a ranking. Raise InvalidError `bad_cursor`."""
        async with self._database.reading() as session:
            return await standings.ranking(name).page(session, cursor, limit)

    def exported(self, name: str) -> AsyncIterator[tuple[RankingRow, ...]]:
        """Return the first rows of a ranking in parts, which are read one after another."""
        return standings.in_parts(self._database, standings.ranking(name))

    async def cursor_to(self, name: str, account_id: int) -> str:
        """Return the cursor of the page with an account's row, "" for the first page."""
        async with self._database.reading() as session:
            return await standings.ranking(name).cursor_to(session, account_id)

    async def row_of(self, name: str, account_id: int) -> RankingRow | None:
        """Return an account's row of a ranking, or None."""
        async with self._database.reading() as session:
            return await standings.ranking(name).row_of(session, account_id)

    async def top(self, count: int, name: str = standings.PEOPLE) -> tuple[RankingRow, ...]:
        """Return the first rows of a ranking."""
        return (await self.page(name, "", count)).rows

    async def winners(self, names: Collection[str]) -> Mapping[str, str | None]:
        """Return who is first in each of some rankings that has rows; None for a closed account."""
        async with self._database.reading() as session:
            return dict((await session.execute(_WINNERS, {"names": list(names)})).all())

    async def rivals(self, account_id: int) -> Rivals:
        """Return whom an account has to beat; a few seconds old, since each move asks."""
        rivals = self._rivals.get(account_id)
        if rivals is None:
            async with self._database.reading() as session:
                world = standings.ranking(standings.WORLD)
                leader = next(iter((await world.page(session, "", 1)).rows), None)
                own = await world.row_of(session, account_id)
            rivals = self._rivals[account_id] = Rivals(leader, own if own != leader else None)
        return rivals

    async def rank_of(self, counts: Sequence[int], *, assisted: bool = False, common: bool = False) -> int:
        """Return the rank of all time that an entry with these moves on its boards has or would have."""
        world = standings.world_of(assisted=assisted, common=common)
        async with self._database.reading_now() as session:
            return await standings.rank_of(session, counts, world)

    async def history(self) -> tuple[History, Mapping[int, str | None]]:
        """Return the best mean over time, and the names of the record holders as `holders` does."""
        async with self._database.reading_now() as session:
            history = await self._history.read(session)
            return history, await holders(session, history)
