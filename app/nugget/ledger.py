"""The ledger in PostgreSQL: links are added, one at a time. Only names of erased accounts are removed."""

from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.nugget.models import Entry, LedgerLink
from engine.golden_nugget import ledger
from engine.golden_nugget.audit import read
from engine.golden_nugget.ledger import Link, Receipt

_PART = 2_000  # links that are read at a time

_LOCK = 0x601D
"""The key of the advisory lock that is held to add a link or to change standings."""


async def lock(session: AsyncSession) -> datetime:
    """Lock the ledger until the transaction ends, and return the moment of the lock.

    The moment is read from PostgreSQL's clock, so that links and times have the same order on all machines.
    """
    await session.execute(select(func.pg_advisory_xact_lock(_LOCK)))
    moment: datetime = (await session.execute(select(func.clock_timestamp()))).scalar_one()
    return moment


async def accept(
    session: AsyncSession, entry_id: str, username: str, submitted_at: datetime, record_sha256: str
) -> Link:
    """Add the receipt of an entry to the locked ledger and return it."""
    receipt = ledger.accept(
        await _last(session),
        entry=entry_id,
        player=username,
        submitted_at=text_of(submitted_at),
        record_sha256=record_sha256,
    )
    await _add(session, receipt)
    return receipt


async def withdraw(session: AsyncSession, entry_id: str, withdrawn_at: datetime) -> None:
    """Add the withdrawal of an entry to the locked ledger."""
    last = await _last(session)
    assert last is not None
    await _add(session, ledger.withdraw(last, entry=entry_id, withdrawn_at=text_of(withdrawn_at)))


async def remove(session: AsyncSession, entry_id: str, removed_at: datetime, reason: str) -> None:
    """Add the removal of an entry by a moderator to the locked ledger."""
    last = await _last(session)
    assert last is not None
    await _add(session, ledger.remove(last, entry=entry_id, removed_at=text_of(removed_at), reason=reason))


async def erase_names(session: AsyncSession, account_id: int) -> None:
    """Erase the names in the receipts of an account's entries."""
    receipts = (
        select(LedgerLink)
        .join(Entry, Entry.id == LedgerLink.entry_id)
        .where(Entry.account_id == account_id)
        .with_for_update(of=LedgerLink)
    )
    for row in await session.scalars(receipts):
        link = read(row.line)
        if isinstance(link, Receipt):
            row.line = ledger.to_line(ledger.erase(link))


async def links(session: AsyncSession, entry_id: str) -> list[Link]:
    """Return the links of an entry: its receipt, and its withdrawal or removal if there is one."""
    return [read(line) for line in (await lines(session, entry_id)).splitlines()]


async def lines(session: AsyncSession, entry_id: str) -> str:
    """Return the links of an entry as JSON lines."""
    rows = select(LedgerLink.line).where(LedgerLink.entry_id == entry_id).order_by(LedgerLink.sequence)
    return "".join(f"{line}\n" for line in await session.scalars(rows))


async def part(session: AsyncSession, after: int) -> tuple[str, int]:
    """Return the next links of the ledger after a sequence number as JSON lines, and the last one's number.

    The text is empty at the end of the ledger.
    """
    links = await session.execute(
        select(LedgerLink.sequence, LedgerLink.line)
        .where(LedgerLink.sequence > after)
        .order_by(LedgerLink.sequence)
        .limit(_PART)
    )
    rows = links.all()
    return "".join(f"{row.line}\n" for row in rows), rows[-1].sequence if rows else after


async def _last(session: AsyncSession) -> Link | None:
    line = await session.scalar(select(LedgerLink.line).order_by(LedgerLink.sequence.desc()).limit(1))
    return read(line) if line else None


async def _add(session: AsyncSession, link: Link) -> None:
    session.add(
        LedgerLink(sequence=link.sequence, entry_id=link.entry, hash=link.hash, line=ledger.to_line(link))
    )
    await session.flush()


def text_of(moment: datetime) -> str:
    """Return a moment in UTC as the ledger writes it."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
