"""Records by board numbers: the fewest moves known on each board as it is played, and on the first boards.

An entry counts from the moment at which it is public, and a record that is equalled stays with who was first.
`take` and `give_up` are part of the transaction that judges an entry, under the lock of the ledger.
`retelling` finds the same from the entries alone.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import accumulate
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    and_,
    any_,
    case,
    delete,
    func,
    insert,
    literal,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import UnreadableError, read
from app.nugget.models import Competition, Entry
from app.nugget.records.models import RecordChange
from app.people.identity.models import Account
from app.people.identity.ranked import is_open, is_ranked
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify
from engine.golden_nugget.board import MAX_BOARDS, MOVE_LIMIT
from engine.golden_nugget.ranking import LENGTHS, mean_of

EVERYBODY, PEOPLE = "everybody", "people"
PLAYERS = (PEOPLE, EVERYBODY)
"""Among whom there are records; everybody is people and computers."""

BOARD, MEAN = "board", "mean"

_AT_ONCE = 1_000  # entries


Place = tuple[datetime, str]
"""When an entry was submitted, and its id."""


class Key(NamedTuple):
    """What there is a record of; see `RecordChange`."""

    players: str
    kind: str
    number: int


_KEY = (RecordChange.players, RecordChange.kind, RecordChange.number)
# Nobody could know an entry of a sealed competition before that was released, or one before its reveal.
_PUBLIC_AT: ColumnElement[datetime] = case(
    (
        Competition.visibility == "sealed",
        case(
            (Competition.released_at.is_not(None), func.greatest(Competition.released_at, Entry.revealed_at))
        ),
    ),
    else_=Entry.received_at,
)
PUBLIC: Select[*tuple[Any, ...]] = (
    select(
        Entry.id,
        Entry.account_id,
        Entry.counts,
        Entry.submitted_at,
        Account.is_computer,
        _PUBLIC_AT.label("at"),
    )
    .join(Account, Account.id == Entry.account_id)
    .outerjoin(Competition, Competition.id == Entry.competition_id)
    .where(_PUBLIC_AT.is_not(None), is_ranked(Entry.account_id))
)
COUNTING = PUBLIC.where(Entry.withdrawn_at.is_(None), Entry.is_own)
"""The entries that count for records."""

CURRENT = (
    select(RecordChange, and_(is_open(RecordChange.account_id), ~Account.is_computer).label("is_told"))
    .join(Account, Account.id == RecordChange.account_id)
    .ext(distinct_on(*_KEY))
    .order_by(*_KEY, RecordChange.moves)
)
"""All records, and whether their holders are told of losing them."""


def figures(counts: Sequence[int], *, is_computer: bool) -> dict[Key, int]:
    """Return the moves of an entry for each record that there is of its boards. Raise ValueError."""
    mean_of(counts)
    sums = list(accumulate(counts))
    own = {(BOARD, number): moves for number, moves in enumerate(counts, 1)}
    own |= {(MEAN, number): sums[number - 1] for number in LENGTHS if number <= len(counts)}
    players = (EVERYBODY,) if is_computer else PLAYERS
    return {Key(among, *what): moves for among in players for what, moves in own.items()}


def figures_of(entry: Any, *, is_computer: bool) -> dict[Key, int]:
    """Return the figures of an entry, or of a row of COUNTING. Raise UnreadableError."""
    return read(
        Entry.__tablename__, entry.id, lambda counts: figures(counts, is_computer=is_computer), entry.counts
    )


async def take(session: AsyncSession, entry: Entry, account: Account, at: datetime) -> frozenset[int]:
    """Give an entry the records that it sets, if it counts by now, and notify those who had them.

    Return their accounts; after the commit publish `RecordBeaten` for them. Raise UnreadableError.
    """
    if not await _is_among(session, COUNTING, entry):
        return frozenset()
    records = {_key(record): (record, is_told) for record, is_told in await session.execute(CURRENT)}
    taken: list[dict[str, Any]] = []
    equalled: dict[Key, int] = {}
    lost: dict[int, dict[Key, tuple[int, int]]] = {}
    for key, moves in figures_of(entry, is_computer=account.is_computer).items():
        record, is_told = records.get(key, (None, False))
        if record is None or moves < record.moves:
            taken.append({**key._asdict(), "moves": moves, "at": at})
            if record is not None and record.account_id != account.id and is_told:
                lost.setdefault(record.account_id, {})[key] = record.moves, moves
        elif moves == record.moves and record.account_id != account.id:
            equalled[key] = moves
    if taken:
        await session.execute(insert(RecordChange).values(account_id=account.id, entry_id=entry.id), taken)
    # Several entries of a player may be released together: the first of them is counted.
    place = tuple_(_PUBLIC_AT, Entry.submitted_at, Entry.id)
    await _count(session, entry, equalled, 1, place < (at, entry.submitted_at, entry.id))
    news = [
        News(loser, NewsKind.RECORD_BEATEN, entry.id, account.id, _told_of(theirs))
        for loser, theirs in lost.items()
    ]
    await notify(session, *news)
    return frozenset(lost)


def _told_of(lost: Mapping[Key, tuple[int, int]]) -> dict[str, Any]:
    """Return what a notification says of lost records: the one over the most boards, and how many others."""
    whole = {(key.kind == MEAN, key.number): moves for key, moves in lost.items()}
    is_mean, number = max(whole)
    before, after = whole[is_mean, number]
    kind = MEAN if is_mean else BOARD
    return {"kind": kind, "boards": number, "before": before, "after": after, "others": len(whole) - 1}


async def give_up(session: AsyncSession, entry: Entry, account: Account) -> None:
    """Pass the records of an entry that no longer counts to those who hold them without it."""
    reasons = (entry.withdrawn_at is not None, entry.assisted, entry.common)
    if sum(reasons) > 1 or not await _is_among(session, PUBLIC, entry):
        return  # it did not count before, either
    with contextlib.suppress(UnreadableError):
        own = figures_of(entry, is_computer=account.is_computer)
        shared = {
            key: record.moves
            for record, _told in await session.execute(CURRENT)
            if own.get(key := _key(record)) == record.moves and record.account_id != account.id
        }
        await _count(session, entry, shared, -1)
    held = await session.scalars(select(RecordChange).where(RecordChange.entry_id == entry.id))
    await _retell(session, {_key(change): change.moves for change in held})


async def _is_among(session: AsyncSession, entries: Select[*tuple[Any, ...]], entry: Entry) -> bool:
    return (await session.execute(entries.where(Entry.id == entry.id))).first() is not None


async def _count(
    session: AsyncSession,
    entry: Entry,
    equalled: Mapping[Key, int],
    by: int,
    *which: ColumnElement[bool],
) -> None:
    """Count the player of an entry among the holders of records, unless by another entry that has them."""
    if not equalled:
        return
    left = dict(equalled)
    others = COUNTING.where(Entry.account_id == entry.account_id, Entry.id != entry.id, *which)
    for other in await session.execute(others):
        with contextlib.suppress(UnreadableError):
            has = figures_of(other, is_computer=other.is_computer)
            left = {key: moves for key, moves in left.items() if has.get(key) != moves}
    is_equalled = tuple_(*_KEY, RecordChange.moves).in_([(*key, moves) for key, moves in left.items()])
    await session.execute(update(RecordChange).where(is_equalled).values(holders=RecordChange.holders + by))


class _First(NamedTuple):
    """The first entry with so many moves: when it became public and was submitted, and whose it is."""

    at: datetime
    submitted_at: datetime
    entry_id: str
    account_id: int


class Told:
    """What follows for some records from entries, which are added in any order."""

    def __init__(self, keys: Collection[Key]) -> None:
        self._firsts: dict[Key, dict[int, _First]] = {key: {} for key in keys}
        self._fewest: dict[Key, int] = {}
        self._holders: dict[Key, set[int]] = {}

    def add(self, entries: Iterable[Any]) -> None:
        """Add entries, which are rows of COUNTING."""
        for entry in entries:
            first = _First(entry.at, entry.submitted_at, entry.id, entry.account_id)
            with contextlib.suppress(UnreadableError):
                for key, moves in figures_of(entry, is_computer=entry.is_computer).items():
                    if key in self._firsts:
                        self._add(key, moves, first)

    def _add(self, key: Key, moves: int, first: _First) -> None:
        firsts = self._firsts[key]
        firsts[moves] = min(first, firsts.get(moves, first))
        if moves < self._fewest.get(key, moves + 1):
            self._fewest[key] = moves
            self._holders[key] = {first.account_id}
        elif moves == self._fewest[key]:
            self._holders[key].add(first.account_id)

    def fewest(self, key: Key) -> int | None:
        """Return the fewest moves of all entries."""
        return self._fewest.get(key)

    def changes(self, before: Mapping[Key, int]) -> Iterator[dict[str, Any]]:
        """Yield the changes as rows, after records that have been set before."""
        for key, firsts in self._firsts.items():
            fewest = before.get(key)
            for moves, first in sorted(firsts.items(), key=lambda item: (item[1], item[0])):
                if fewest is None or moves < fewest:
                    fewest = moves
                    is_record = moves == self._fewest[key]
                    yield {
                        **key._asdict(),
                        "moves": moves,
                        "account_id": first.account_id,
                        "entry_id": first.entry_id,
                        "at": first.at,
                        "holders": len(self._holders[key]) if is_record else 1,
                    }


async def _retell(session: AsyncSession, lost: Mapping[Key, int]) -> None:
    """Find the changes of records again, from the ones before those with `lost` moves on."""
    if not lost:
        return
    stored = await stored_changes(session, lost)
    since = _since(stored, lost)
    told = Told(lost)
    async for entries in counting_since(session, since):
        await asyncio.to_thread(told.add, entries)
    await store(
        session, [change for change in stored if change.at >= since], told.changes(_fewest(stored, since))
    )


async def stored_changes(session: AsyncSession, keys: Collection[Key]) -> Sequence[RecordChange]:
    """Return the changes of some records."""
    return (await session.scalars(select(RecordChange).where(tuple_(*_KEY).in_(keys)))).all()


def _fewest(stored: Iterable[RecordChange], before: datetime) -> dict[Key, int]:
    """Return the records that had been set before a moment."""
    fewest: dict[Key, int] = {}
    for change in stored:
        if change.at < before:
            fewest[_key(change)] = min(change.moves, fewest.get(_key(change), change.moves))
    return fewest


async def store(
    session: AsyncSession, stored: Iterable[RecordChange], rows: Iterable[dict[str, Any]]
) -> None:
    """Replace changes that are stored by rows; those that agree stay."""
    old = {(*_key(change), change.moves, change.entry_id, change.at): change for change in stored}
    new = []
    for row in rows:
        same = old.pop((*(row[name] for name in Key._fields), row["moves"], row["entry_id"], row["at"]), None)
        if same is None:
            new.append(row)
        else:
            same.holders = row["holders"]
    await session.execute(
        delete(RecordChange).where(RecordChange.id.in_([change.id for change in old.values()]))
    )
    if new:
        await session.execute(insert(RecordChange), new)
    await session.flush()


def _since(stored: Iterable[RecordChange], lost: Mapping[Key, int]) -> datetime:
    """Return when the first of the records was set that come before those with `lost` moves."""
    nearest: dict[Key, tuple[int, datetime]] = {}
    for change in stored:
        key, record = _key(change), (change.moves, change.at)
        if change.moves > lost[key]:
            nearest[key] = min(record, nearest.get(key, record))
        elif change.moves == lost[key]:
            nearest.setdefault(key, (MAX_BOARDS * MOVE_LIMIT, change.at))
    return min(at for _moves, at in nearest.values())


async def counting_since(session: AsyncSession, since: datetime) -> AsyncIterator[Sequence[Any]]:
    """Yield the entries that count and became public at a moment or later, in parts and in no order."""
    released = select(func.min(Competition.starts_at)).where(Competition.released_at >= since)
    revealed = select(func.min(Entry.submitted_at)).where(Entry.revealed_at >= since)
    earlier = [await session.scalar(first) or since for first in (released, revealed)]
    last: Place | None = (min(since, *earlier), "")
    while last is not None:
        entries, last = await counting_part(session, since, last)
        yield entries


async def counting_part(
    session: AsyncSession, since: datetime, after: Place
) -> tuple[Sequence[Any], Place | None]:
    """Return those of the next entries that count and became public at a moment or later, and the last one.

    That is None if there are no more.
    """
    # These are found first: PostgreSQL would expect few of them to count, and sort all entries for each part.
    place = tuple_(Entry.submitted_at, Entry.id)
    following = select(Entry.submitted_at, Entry.id).order_by(Entry.submitted_at, Entry.id).limit(_AT_ONCE)
    part = (await session.execute(following.where(place > after))).all()
    if not part:
        return (), None
    ids = literal([row.id for row in part], ARRAY(Text))
    counting = await session.execute(COUNTING.where(since <= _PUBLIC_AT, Entry.id == any_(ids)))
    return counting.all(), (part[-1].submitted_at, part[-1].id)


def _key(change: RecordChange) -> Key:
    return Key(change.players, change.kind, change.number)
