"""Where the boards of an entry come from: earlier entries of others, and the computer's help.

Entries that have a landmark in common are compared board by board (engine.golden_nugget.lineage), wherever
the boards are in them, so the same moves in another order, with detours, turned or in another run are
recognised. The functions run in the caller's transaction.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache, partial
from typing import Any

from sqlalchemy import ARRAY, BigInteger, ColumnElement, Row, Select, and_, cast, delete, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import is_one_of, made_once
from app.core.database.unreadable import UnreadableError, read
from app.nugget.models import Credit, Entry, HelpedPosition
from app.nugget.visibility import IS_SEALED
from app.people.identity import service as accounts
from app.people.identity.models import Account
from engine.golden_nugget.board import Board
from engine.golden_nugget.lineage import DERIVED_FROM, Path, landmarks, paths_of, shared_boards
from engine.golden_nugget.positions import keys
from engine.golden_nugget.record import parse

_SHOWN = 2  # positions of a board that the computer showed, between which at least one move was made
_AT_ONCE = 20  # entries that are read at a time


_EARLIEST = (
    select(
        Entry.id,
        Entry.account_id,
        Entry.record,
        Entry.positions,
        Entry.submitted_at,
        Entry.assisted,
        Account.username,
        Account.is_computer,
    )
    .join(Account, Account.id == Entry.account_id)
    .order_by(Entry.submitted_at)
    .limit(_AT_ONCE)
)


@dataclass(frozen=True, slots=True)
class Share:
    """An earlier entry of somebody else, and the boards that come from it: the number here, and there.

    `is_help` is true if it is a computer's or assisted.
    """

    entry_id: str
    account_id: int
    username: str
    is_computer: bool
    is_help: bool
    boards: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where the boards of an entry come from; each board has one source.

    `helped` are the boards on which the computer, whose username is `solver`, showed moves to somebody;
    `solver_id` is its account.
    `shares` are the entries that the others come from, each board from the first of all that have it.
    """

    helped: tuple[int, ...]
    solver: str
    solver_id: int
    shares: tuple[Share, ...]

    @property
    def boards(self) -> int:
        """Return the number of boards that come from others."""
        return len(self.helped) + sum(len(share.boards) for share in self.shares)

    @property
    def is_derived(self) -> bool:
        """Return whether so many boards come from others that the entry is not original."""
        return self.boards >= DERIVED_FROM

    @property
    def is_assisted(self) -> bool:
        """Return whether so many boards come from the computer that the entry ranks among assisted ones."""
        of_help = sum(len(share.boards) for share in self.shares if share.is_help)
        return len(self.helped) + of_help >= DERIVED_FROM

    @property
    def is_common(self) -> bool:
        """Return whether so many boards come from other players that the entry ranks among common ones."""
        return self.is_derived and not self.is_assisted

    @property
    def credits(self) -> Mapping[int, int]:
        """Return how many boards come from each account."""
        boards = Counter({self.solver_id: len(self.helped)} if self.helped else {})
        for share in self.shares:
            boards[share.account_id] += len(share.boards)
        return boards

    @property
    def main(self) -> Share | None:
        """Return the entry that most boards come from, None if there is none or more are the computer's."""
        most = max(self.shares, key=lambda share: len(share.boards), default=None)
        return most if most is not None and len(most.boards) >= len(self.helped) else None

    @property
    def source(self) -> str | None:
        """Return a computer's username or the id of a person's entry if the entry is derived, else None."""
        if not self.is_derived:
            return None
        if self.main is None:
            return self.solver
        return self.main.username if self.main.is_computer else self.main.entry_id


async def trace(
    session: AsyncSession, paths: Sequence[Path], account_id: int | None, before: datetime
) -> Lineage:
    """Return where the boards of an account's entry with these paths come from.

    Sources are published or opened entries of others, entries of computers, and positions that the computer
    helped with, all from before the moment of the entry. What was committed to is a source from its reveal
    on: nobody could copy it before. Whether the account is a person's or a program's makes no difference.
    """
    helped = await _helped_boards(session, paths, before)
    solver = await accounts.solver(session) if helped else None
    if solver is not None and solver.id == account_id:
        helped = ()  # it did not help itself
    shares = await _shares(session, paths, account_id, before, set(helped))
    return Lineage(helped, solver.username if solver else "", solver.id if solver else 0, shares)


async def _helped_boards(session: AsyncSession, paths: Sequence[Path], before: datetime) -> tuple[int, ...]:
    """Return the boards on which the computer showed moves that nobody had entered before without help."""
    met = list({key for path in paths for key in path.keys})
    rows = await session.execute(*_helped(met, before))
    shown = {row.key: row.helped_at for row in rows}
    if not shown:
        return ()

    def boards() -> tuple[int, ...]:
        of_path = (len(shown.keys() & set(path.keys)) for path in paths)
        return tuple(number for number, count in enumerate(of_path, start=1) if count >= _SHOWN)

    if boards():
        async for entry in _earliest(session, landmarks(paths), partial(_without_help, before)):
            for path in await _stored_paths(entry.id, entry.record):
                for key in shown.keys() & set(path.keys):
                    if entry.submitted_at < shown[key]:
                        del shown[key]
    return boards()


@made_once
def _helped(met: list[int], before: datetime) -> Select[int, datetime]:
    known = select(HelpedPosition.key, HelpedPosition.helped_at).where(HelpedPosition.helped_at < before)
    return known.where(is_one_of(HelpedPosition.key, met))


async def _shares(
    session: AsyncSession,
    paths: Sequence[Path],
    account_id: int | None,
    before: datetime,
    explained: set[int],
) -> tuple[Share, ...]:
    """Return the shares of the boards that are not `explained` yet.

    Boards that the account itself had before others are its own.
    """
    shares = []
    async for entry in _earliest(session, _searched(paths), partial(_sources, account_id, before)):
        theirs = await _stored_paths(entry.id, entry.record)
        shared = await asyncio.to_thread(shared_boards, paths, theirs)
        boards = tuple((mine, their) for mine, their in shared.items() if mine not in explained)
        explained.update(shared)
        if boards and entry.account_id != account_id:
            is_help = entry.is_computer or entry.assisted
            shares.append(
                Share(entry.id, entry.account_id, entry.username, entry.is_computer, is_help, boards)
            )
        if len(explained) == len(paths):
            break
    return tuple(shares)


async def _earliest(
    session: AsyncSession,
    unmet: set[int],
    find: Callable[[list[int]], tuple[Select[*tuple[Any, ...]], dict[str, Any]]],
) -> AsyncIterator[Row[*tuple[Any, ...]]]:
    """Yield the earliest entries that `find` selects by landmarks, until each of these was met.

    Whatever later entries have of these was in the earlier ones.
    """
    while unmet:
        rows = (await session.execute(*find(list(unmet)))).all()
        for row in rows:
            unmet.difference_update(row.positions)
            yield row
        if len(rows) < _AT_ONCE:
            return


@made_once
def _without_help(before: datetime, positions: list[int]) -> Select[*tuple[Any, ...]]:
    """Return the query for the earliest entries with one of some landmarks that were made without help."""
    return _EARLIEST.where(_has_one_of(positions), Entry.submitted_at < before, ~Entry.assisted)


@made_once
def _sources(account_id: int | None, before: datetime, positions: list[int]) -> Select[*tuple[Any, ...]]:
    """Return the query for the earliest entries with one of some landmarks that are own or were known."""
    could_be_copied = and_(Entry.received_at < before, _was_known(before))
    return _EARLIEST.where(
        _has_one_of(positions),
        Entry.submitted_at < before,
        or_(Entry.account_id == account_id, could_be_copied),
    )


def _was_known(at: datetime) -> ColumnElement[bool]:
    """Return whether the boards of an entry could be known to others who entered them at a moment.

    They were published, are a computer's, or were opened before: a competition opens what nobody knew until
    its end. Those of an entry that is sealed in a competition are known to nobody.
    """
    # What a competition has opened is known from then on, also if it is published afterwards.
    is_published = and_(
        Entry.published_at.is_not(None),
        or_(Entry.opened_at.is_(None), Entry.published_at < Entry.opened_at),
    )
    return and_(or_(is_published, Entry.opened_at < at, Account.is_computer), ~IS_SEALED)


async def lineage_of(session: AsyncSession, entry: Entry) -> Lineage:
    """Return where the boards of an accepted entry come from, as it is known now."""
    paths = await _stored_paths(entry.id, entry.record)
    return await trace(session, paths, entry.account_id, entry.submitted_at)


async def related(session: AsyncSession, entry: Entry) -> Sequence[str]:
    """Return the ids of the entries that may have boards of an entry."""
    searched = _searched(await _stored_paths(entry.id, entry.record))
    return (await session.scalars(entries_with(list(searched)))).all()


async def _stored_paths(entry_id: str, record: str) -> Sequence[Path]:
    """Return the paths of the boards of an entry, none if its record cannot be read."""
    try:
        return await asyncio.to_thread(read, Entry.__tablename__, entry_id, _paths, record)
    except UnreadableError:
        return ()


@lru_cache(maxsize=20)  # sources are compared with each of their copies
def _paths(record: str) -> Sequence[Path]:
    return paths_of(parse(record).record)


def _searched(paths: Sequence[Path]) -> set[int]:
    """Return the landmarks by which entries with common boards are found.

    Those of board 1 are left out: it begins alike in all entries.
    """
    return landmarks(paths[1:])


def _has_one_of(landmarks: list[int]) -> ColumnElement[bool]:
    """Return the condition that an entry has one of some landmarks.

    The ids are an array, which is a few for PostgreSQL's planner: for the thousand rows that it expects of a
    function it would read all entries.
    """
    return Entry.id == func.any(func.array(entries_with(landmarks).scalar_subquery()))


def entries_with(landmarks: list[int]) -> Select[str]:
    """Return the query for the ids of the entries that have one of some landmarks."""
    return select(func.nugget_entries_with(cast(landmarks, ARRAY(BigInteger))).column_valued())


async def remember_help(session: AsyncSession, board: Board, forces: Sequence[str]) -> None:
    """Remember that the computer helped with a position, and with those to which its moves lead."""
    shown = [{HelpedPosition.key.name: key} for key in set(keys(board, forces))]
    await session.execute(insert(HelpedPosition).values(shown).on_conflict_do_nothing())


async def credit(session: AsyncSession, entry_id: str, lineage: Lineage) -> None:
    """Store whose boards a common entry has, instead of what was known before."""
    await session.execute(delete(Credit).where(Credit.entry_id == entry_id))
    rows = [{"account_id": account_id, "boards": boards} for account_id, boards in lineage.credits.items()]
    await session.execute(insert(Credit).values(entry_id=entry_id), rows)
