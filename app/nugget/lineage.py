"""Where the boards of an entry come from: earlier entries of others, and the computer's help.

Entries that have a position in common are compared board by board (engine.golden_nugget.lineage), wherever
the boards are in them, so the same moves in another order, with detours, turned or in another run are
recognised. The functions run in the caller's transaction.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, Text, and_, any_, func, literal, or_, select
from sqlalchemy.dialects.postgresql import ARRAY, array, insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.unreadable import UnreadableError, read
from app.identity import service as accounts
from app.identity.models import Account
from app.nugget.history import IS_SEALED
from app.nugget.models import Entry, HelpedPosition
from engine.golden_nugget.board import Board
from engine.golden_nugget.lineage import DERIVED_FROM, Path, shared_boards
from engine.golden_nugget.positions import keys
from engine.golden_nugget.record import parse

_IS_PUBLIC = and_(or_(Entry.published_at.is_not(None), Account.is_computer), ~IS_SEALED)
"""Whether the boards of an entry could be known to others: they were published, or are a computer's.

Those of an entry that is sealed in a competition are known to nobody.
"""

_USE_INDEXES = select(func.set_config("enable_seqscan", "off", True))
_SHOWN = 2  # positions of a board that the computer showed, between which at least one move was made
_AT_ONCE = 20  # entries whose positions are read at a time


@dataclass(frozen=True, slots=True)
class Share:
    """An earlier entry of somebody else, and the boards that come from it: the number here, and there.

    `is_help` is true if it is a computer's or assisted.
    """

    entry_id: str
    username: str
    is_computer: bool
    is_help: bool
    boards: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Lineage:
    """Where the boards of an entry come from; each board has one source.

    `helped` are the boards on which the computer, whose username is `solver`, showed moves to somebody.
    `shares` are the entries that the others come from, each board from the first of all that have it.
    """

    helped: tuple[int, ...]
    solver: str
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

    Sources are published entries of others, entries of computers, and positions that the computer helped
    with, all from before the moment of the entry.
    """
    helped = await _helped_boards(session, paths, before)
    shares = await _shares(session, paths, account_id, before, set(helped))
    solver = (await accounts.computers(session))[-1].username if helped else ""
    return Lineage(helped, solver, shares)


async def _helped_boards(session: AsyncSession, paths: Sequence[Path], before: datetime) -> tuple[int, ...]:
    met = literal(positions_of(paths), ARRAY(BigInteger))
    known = select(HelpedPosition.key).where(HelpedPosition.key == any_(met))
    shown = set(await session.scalars(known.where(HelpedPosition.helped_at < before)))
    return tuple(
        number for number, path in enumerate(paths, 1) if len(shown.intersection(path.keys)) >= _SHOWN
    )


async def _shares(
    session: AsyncSession,
    paths: Sequence[Path],
    account_id: int | None,
    before: datetime,
    explained: set[int],
) -> tuple[Share, ...]:
    """Return the shares of the boards that are not `explained` yet.

    Of the entries with one of the positions the earliest are read, until each position was met: whatever
    later entries have of these was in the earlier ones.
    """
    earliest = (
        select(Entry.id, Account.username, Account.is_computer, Entry.assisted, Entry.record, Entry.positions)
        .join(Account, Account.id == Entry.account_id)
        .where(Entry.account_id.is_distinct_from(account_id), Entry.submitted_at < before, _IS_PUBLIC)
        .order_by(Entry.submitted_at)
        .limit(_AT_ONCE)
    )
    unmet = probes(paths)
    shares = []
    while unmet:
        found = literal(await with_any(session, unmet), ARRAY(Text))
        rows = (await session.execute(earliest.where(Entry.id == any_(found)))).all()
        if not rows:
            break
        for entry_id, username, is_computer, assisted, record, positions in rows:
            unmet.difference_update(positions or ())
            shared = shared_boards(paths, _paths_of(entry_id, positions or (), record))
            boards = tuple((mine, theirs) for mine, theirs in shared.items() if mine not in explained)
            explained.update(shared)
            if boards:
                shares.append(Share(entry_id, username, is_computer, is_computer or assisted, boards))
    return tuple(shares)


async def lineage_of(session: AsyncSession, entry: Entry) -> Lineage:
    """Return where the boards of an accepted entry come from, as it is known now."""
    paths = await paths_of_entry(session, entry)
    return await trace(session, paths, entry.account_id, entry.submitted_at)


async def paths_of_entry(session: AsyncSession, entry: Entry) -> list[Path]:
    """Return the paths of the boards of an accepted entry, none if it was not traced yet."""
    row = await session.execute(select(Entry.positions, Entry.record).where(Entry.id == entry.id))
    positions, record = row.one()
    return _paths_of(entry.id, positions, record) if positions else []


def _paths_of(entry_id: str, positions: Sequence[int], record: str) -> list[Path]:
    """Return the paths of an entry's boards, none if its record cannot be read."""
    try:
        return read(Entry.__tablename__, entry_id, _paths, positions, record)
    except UnreadableError:
        return []


def _paths(positions: Sequence[int], record: str) -> list[Path]:
    paths, start = [], 0
    for board in parse(record).record.boards:
        end = start + len(board.moves) + 1
        paths.append(Path(positions[start:end], "".join(move[0] for move in board.moves)))
        start = end
    return paths


def positions_of(paths: Sequence[Path]) -> list[int]:
    """Return the positions of paths one after another."""
    return [key for path in paths for key in path.keys]


def probes(paths: Sequence[Path]) -> set[int]:
    """Return the positions by which entries with common boards are found.

    Those of board 1 are left out: it begins alike in all entries.
    """
    return set(positions_of(paths[1:]))


async def with_any(session: AsyncSession, positions: Collection[int]) -> Sequence[str]:
    """Return the ids of the entries that have one of the positions.

    They are looked up by the index, from here until the transaction ends: comparing long arrays takes
    milliseconds for each entry, of which PostgreSQL's planner knows nothing.
    """
    await session.execute(_USE_INDEXES)
    found = await session.scalars(select(Entry.id).where(Entry.positions.overlap(list(positions))))
    return found.all()


async def remember_help(session: AsyncSession, board: Board, forces: Sequence[str]) -> None:
    """Remember that the computer helped with a position, and with those to which its moves lead.

    What somebody had entered before without help stays theirs.
    """
    await session.execute(_USE_INDEXES)
    shown = func.unnest(literal(keys(board, forces), ARRAY(BigInteger))).table_valued("key").render_derived()
    own = select(Entry.id).where(Entry.positions.contains(array([shown.c.key])), ~Entry.assisted)
    new = select(shown.c.key).where(~own.exists()).distinct()
    help_ = insert(HelpedPosition).from_select([HelpedPosition.key.name], new)
    await session.execute(help_.on_conflict_do_nothing())
