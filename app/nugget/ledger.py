"""The ledger in PostgreSQL: links are added, one at a time. Only names of erased accounts are removed."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, func, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.statements import made_once
from app.nugget.commitments.models import Commitment
from app.nugget.models import Entry, LedgerLink
from engine.golden_nugget import ledger
from engine.golden_nugget.audit import read
from engine.golden_nugget.ledger import AnyCommitment, AnyReveal, ErasedReceipt, Link, Named, Removal

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
) -> None:
    """Add the receipt of an entry to the locked ledger."""
    receipt = ledger.accept(
        await _last(session),
        entry=entry_id,
        player=username,
        submitted_at=text_of(submitted_at),
        record_sha256=record_sha256,
    )
    await _add(session, receipt)


async def commit(session: AsyncSession, commitment: Commitment, username: str) -> None:
    """Add a commitment to the locked ledger."""
    link = ledger.commit(
        await _last(session),
        commitment=commitment.id,
        player=username,
        committed_at=text_of(commitment.committed_at),
        competition=commitment.competition_id or "",
        sha256=commitment.sha256,
    )
    await _add(session, link)


async def reveal(session: AsyncSession, entry: Entry, commitment_id: str, username: str) -> None:
    """Add the receipt of an entry that was committed to, and revealed now, to the locked ledger."""
    last = await _last(session)
    assert last is not None
    assert entry.revealed_at is not None
    receipt = ledger.reveal(
        last,
        entry=entry.id,
        commitment=commitment_id,
        player=username,
        revealed_at=text_of(entry.revealed_at),
        record_sha256=entry.record_sha256,
    )
    await _add(session, receipt)


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
    """Erase the names in the receipts and commitments of an account."""
    of_entries = select(LedgerLink.sequence).join(Entry, Entry.id == LedgerLink.entry_id)
    of_commitments = select(LedgerLink.sequence).join(Commitment, Commitment.id == LedgerLink.commitment_id)
    own = union(
        of_entries.where(Entry.account_id == account_id),
        of_commitments.where(Commitment.account_id == account_id),
    )
    named = select(LedgerLink).where(LedgerLink.sequence.in_(own)).with_for_update()
    for row in await session.scalars(named):
        link = read(row.text)
        if isinstance(link, Named):
            row.line, row.newer = _lines_of(ledger.erase(link))


async def links(session: AsyncSession, entry_id: str) -> list[Link]:
    """Return the links of an entry: its receipt, and its withdrawal or removal if there is one."""
    return [read(line) for line in (await lines(session, entry_id)).splitlines()]


async def is_removed(session: AsyncSession, entry_id: str) -> bool:
    """Return whether a moderator removed an entry."""
    return has_removal(await links(session, entry_id))


def has_removal(links_of_entry: Iterable[Link]) -> bool:
    """Return whether a moderator removed the entry of some links."""
    return any(isinstance(link, Removal) for link in links_of_entry)


async def lines(session: AsyncSession, entry_id: str) -> str:
    """Return the links of an entry as JSON lines."""
    return "".join(f"{line}\n" for line in await session.scalars(*_lines(entry_id)))


@made_once
def _lines(entry_id: str) -> Select[str]:
    return select(LedgerLink.text).where(LedgerLink.entry_id == entry_id).order_by(LedgerLink.sequence)


async def commitment(session: AsyncSession, commitment_id: str) -> Link:
    """Return the link of a commitment."""
    own = select(LedgerLink.text).where(
        LedgerLink.commitment_id == commitment_id, LedgerLink.entry_id.is_(None)
    )
    return read((await session.execute(own)).scalar_one())


async def part(session: AsyncSession, after: int) -> tuple[str, int]:
    """Return the next links of the ledger after a sequence number as JSON lines, and the last one's number.

    The text is empty at the end of the ledger.
    """
    links = await session.execute(
        select(LedgerLink.sequence, LedgerLink.text)
        .where(LedgerLink.sequence > after)
        .order_by(LedgerLink.sequence)
        .limit(_PART)
    )
    rows = links.all()
    return "".join(f"{row.text}\n" for row in rows), rows[-1].sequence if rows else after


async def _last(session: AsyncSession) -> Link | None:
    line = await session.scalar(select(LedgerLink.text).order_by(LedgerLink.sequence.desc()).limit(1))
    return read(line) if line else None


async def _add(session: AsyncSession, link: Link) -> None:
    session.add(LedgerLink(**columns_of(link)))
    await session.flush()


def columns_of(link: Link) -> dict[str, Any]:
    """Return the columns of a link's row."""
    line, newer = _lines_of(link)
    return {
        "sequence": link.sequence,
        "entry_id": None if isinstance(link, AnyCommitment) else link.entry,
        "commitment_id": link.commitment if isinstance(link, AnyCommitment | AnyReveal) else None,
        "hash": link.hash,
        "line": line,
        "newer": newer,
    }


def _lines_of(link: Link) -> tuple[str, str | None]:
    """Return the columns `line` and `newer` of a link."""
    line = ledger.to_line(link)
    if isinstance(link, AnyCommitment):
        about = (link.commitment, link.committed_at, link.sha256)
    elif isinstance(link, AnyReveal):
        about = (link.entry, link.revealed_at, link.record_sha256)
    else:
        return line, None
    return ledger.to_line(ErasedReceipt(link.sequence, *about, link.previous, link.hash)), line


def text_of(at: datetime) -> str:
    """Return a moment in UTC as the ledger writes it."""
    return f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"
