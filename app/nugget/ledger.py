"""The ledger in PostgreSQL: links are only ever added, one at a time."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.nugget.models import LedgerLink
from engine.golden_nugget import ledger
from engine.golden_nugget.audit import read
from engine.golden_nugget.ledger import Link

_LOCK = 0x601D  # the advisory lock of whoever adds a link


async def lock(session: AsyncSession) -> None:
    """Be the only one who adds to the chain, until the transaction ends."""
    await session.execute(select(func.pg_advisory_xact_lock(_LOCK)))


async def accept(session: AsyncSession, entry: str, player: str, at: datetime, sha256: str) -> None:
    """Add the receipt for an entry to the chain, which has to be locked."""
    link = ledger.accept(
        await _last(session), entry=entry, player=player, submitted_at=_text(at), record_sha256=sha256
    )
    await _add(session, link)


async def withdraw(session: AsyncSession, entry: str, at: datetime) -> None:
    """Add the withdrawal of an entry to the chain, which has to be locked."""
    last = await _last(session)
    assert last is not None
    await _add(session, ledger.withdraw(last, entry=entry, withdrawn_at=_text(at)))


async def links(session: AsyncSession, entry: str) -> list[Link]:
    """Give the links of an entry."""
    return [read(line) for line in (await lines(session, entry)).splitlines()]


async def lines(session: AsyncSession, entry: str | None = None) -> str:
    """Give the ledger as it is exported, a link a line; or the lines of one entry."""
    rows = select(LedgerLink.line).order_by(LedgerLink.sequence)
    if entry is not None:
        rows = rows.where(LedgerLink.entry_id == entry)
    return "".join(f"{line}\n" for line in await session.scalars(rows))


async def _last(session: AsyncSession) -> Link | None:
    line = await session.scalar(select(LedgerLink.line).order_by(LedgerLink.sequence.desc()).limit(1))
    return read(line) if line else None


async def _add(session: AsyncSession, link: Link) -> None:
    session.add(
        LedgerLink(sequence=link.sequence, entry_id=link.entry, hash=link.hash, line=ledger.to_line(link))
    )
    await session.flush()


def _text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"
