"""The ledger in PostgreSQL: links are only ever added, one at a time."""

from datetime import datetime

import orjson
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.nugget.models import LedgerLink
from engine.golden_nugget.ledger import FIRST, Receipt

_LOCK = 0x601D  # the advisory lock of whoever adds a link


async def lock(session: AsyncSession) -> None:
    """Be the only one who adds to the chain, until the transaction ends."""
    await session.execute(select(func.pg_advisory_xact_lock(_LOCK)))


async def add(
    session: AsyncSession, kind: str, entry: str, player: str, at: datetime, record: str
) -> Receipt:
    """Add a link to the chain, which has to be locked, and give its receipt."""
    last = await session.scalar(select(LedgerLink).order_by(LedgerLink.number.desc()).limit(1))
    receipt = Receipt(
        number=last.number + 1 if last else 1,
        kind=kind,
        entry=entry,
        player=player,
        at=at.isoformat(timespec="microseconds"),
        record=record,
        previous=last.hash if last else FIRST,
    )
    session.add(
        LedgerLink(
            number=receipt.number,
            kind=kind,
            entry_id=entry,
            player=player,
            at=receipt.at,
            record=record,
            previous=receipt.previous,
            hash=receipt.hash,
        )
    )
    await session.flush()
    return receipt


async def receipts(session: AsyncSession, *, entry: str | None = None) -> list[Receipt]:
    """Give the receipts from the first on: all of them, or those of one entry."""
    links = select(LedgerLink).order_by(LedgerLink.number)
    if entry is not None:
        links = links.where(LedgerLink.entry_id == entry)
    return [
        Receipt(link.number, link.kind, link.entry_id, link.player, link.at, link.record, link.previous)
        for link in await session.scalars(links)
    ]


def lines(chain: list[Receipt]) -> str:
    """Give receipts as they are exported: a JSON object a line."""
    return "".join(f"{orjson.dumps(receipt.as_dict()).decode()}\n" for receipt in chain)
