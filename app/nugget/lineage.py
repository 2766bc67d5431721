"""Where the boards of an entry come from: the earlier entry that begins alike, or the computer's help.

What counts is the end of each board from board 1 on, so the same moves in another order, with detours or in
another run are recognised. The functions run in the caller's transaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import LargeBinary, and_, func, literal, or_, select, true
from sqlalchemy.dialects.postgresql import ARRAY, array, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.expression import TableValuedAlias

from app.identity import service as accounts
from app.identity.models import Account
from app.nugget import standings
from app.nugget.history import IS_SEALED
from app.nugget.models import Entry, HelpedBoard, RunBoard
from engine.golden_nugget.lineage import DERIVED_FROM, prefix_hashes

_IS_PUBLIC = and_(or_(Entry.published_at.is_not(None), Account.is_computer), ~IS_SEALED)
"""Whether the boards of an entry could be known to others: they were published, or are a computer's.

Those of an entry that is sealed in a competition are known to nobody.
"""


@dataclass(frozen=True, slots=True)
class Source:
    """The first of all entries with which an entry shares most boards, counted from board 1.

    `entry_id` is None for boards that the computer solved in some run; `username` is then a computer's.
    `is_help` is true if it is a computer's or assisted.
    """

    boards: int
    entry_id: str | None
    username: str
    is_computer: bool
    is_help: bool

    @property
    def is_original(self) -> bool:
        """Return whether so many boards are shared that the entry is derived from this one."""
        return self.boards >= DERIVED_FROM

    @property
    def makes_assisted(self) -> bool:
        """Return whether the entry ranks among the assisted ones because of this one."""
        return self.is_original and self.is_help

    @property
    def name(self) -> str:
        """Return a computer's username, or the id of a person's entry."""
        return self.username if self.is_computer or self.entry_id is None else self.entry_id


async def find_source(
    session: AsyncSession, prefixes: Sequence[bytes], account_id: int | None, before: datetime
) -> Source | None:
    """Return the source of an account's entry with these hashes, or None if not even board 1 is shared.

    Sources are published entries of others, entries of computers, and boards that the computer helped with,
    all from before the moment of the entry.
    """
    source = await _earlier_entry(session, prefixes, account_id, before)
    helped = await _helped_boards(session, prefixes, before)
    if helped <= (source.boards if source else 0):
        return source
    solver = (await accounts.computers(session))[-1]
    return Source(helped, None, solver.username, is_computer=True, is_help=True)


async def _earlier_entry(
    session: AsyncSession, prefixes: Sequence[bytes], account_id: int | None, before: datetime
) -> Source | None:
    mine = _numbered(prefixes)
    # As a sum, so that PostgreSQL looks the prefix up and does not read all entries in their order.
    submitted_at = Entry.submitted_at + timedelta()
    # Looked up from the last board back, until one is found.
    earlier = (
        select(Entry.id, Account.username, Account.is_computer, Entry.assisted)
        .join(Account, Account.id == Entry.account_id)
        .where(
            Entry.prefixes.contains(array([mine.c.prefix])),
            Entry.account_id.is_distinct_from(account_id),
            submitted_at < before,
            _IS_PUBLIC,
        )
        .order_by(submitted_at)
        .limit(1)
        .lateral()
    )
    longest = select(mine.c.boards, earlier).join(earlier, true()).order_by(mine.c.boards.desc()).limit(1)
    row = (await session.execute(longest)).one_or_none()
    if row is None:
        return None
    boards, entry_id, username, is_computer, assisted = row
    return Source(boards, entry_id, username, is_computer, is_help=is_computer or assisted)


async def _helped_boards(session: AsyncSession, prefixes: Sequence[bytes], before: datetime) -> int:
    mine = _numbered(prefixes)
    helped = (
        select(func.max(mine.c.boards))
        .join(HelpedBoard, HelpedBoard.prefix == mine.c.prefix)
        .where(HelpedBoard.helped_at < before)
    )
    return await session.scalar(helped) or 0


def _numbered(prefixes: Sequence[bytes]) -> TableValuedAlias:
    """Return the hashes as a table: `prefix`, and the number of `boards` that it stands for."""
    array_of_hashes = literal(list(prefixes), ARRAY(LargeBinary))
    return func.unnest(array_of_hashes).table_valued("prefix", with_ordinality="boards").render_derived()


async def source_of(session: AsyncSession, entry: Entry) -> Source | None:
    """Return the source of an accepted entry as it is known now, or None."""
    prefixes = await session.scalar(select(Entry.prefixes).where(Entry.id == entry.id))
    return await find_source(session, prefixes or (), entry.account_id, entry.submitted_at)


async def mark_derived(session: AsyncSession, source: Entry, at: datetime) -> None:
    """Move an entry, and later ones that begin alike, to the assisted ones if they derive from help.

    To be called when an entry becomes public, with the ledger locked.
    """
    prefixes = await session.scalar(select(Entry.prefixes).where(Entry.id == source.id)) or ()
    later = (
        select(Entry, Account)
        .join(Account, Account.id == Entry.account_id)
        .where(
            Entry.prefixes.contains(list(prefixes[DERIVED_FROM - 1 : DERIVED_FROM])),
            Entry.submitted_at >= source.submitted_at,
            ~Entry.assisted,
            ~Account.is_computer,
        )
        # So that each entry finds its source as it is after this.
        .order_by(Entry.submitted_at)
    )
    for entry, account in (await session.execute(later)).all():
        original = await source_of(session, entry)
        if original and original.makes_assisted:
            entry.assisted, entry.assisted_at = True, at
            await session.flush()
            await standings.displace(session, entry, account, at)
            if entry.withdrawn_at is None:
                await standings.place(session, entry, account, at)


async def record_help(session: AsyncSession, run_id: str, number: int, end: Sequence[int]) -> None:
    """Remember the end of a board of a run as one that the computer helped to reach."""
    starts = await session.scalars(
        select(RunBoard.start)
        .where(RunBoard.run_id == run_id, RunBoard.number.between(2, number))
        .order_by(RunBoard.number)
    )
    await remember_help(session, prefix_hashes([*starts, end])[-1])


async def remember_help(session: AsyncSession, prefix: bytes) -> None:
    """Remember the hash of boards of which the computer helped with the last one.

    What somebody had entered before without help stays theirs.
    """
    known = select(Entry.id).where(Entry.prefixes.contains([prefix]), ~Entry.assisted).limit(1)
    if await session.scalar(known) is None:
        statement = insert(HelpedBoard).values(prefix=prefix)
        await session.execute(statement.on_conflict_do_nothing())
