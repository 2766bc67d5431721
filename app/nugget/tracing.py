"""Tracing the entries that were accepted before sources were looked for; the server's schedule calls it."""

from collections.abc import Sequence

from sqlalchemy import select, update

from app.database.session import Database
from app.database.unreadable import UnreadableError, read_row
from app.nugget import ledger, lineage
from app.nugget.models import Entry
from engine.golden_nugget.entry import verify
from engine.golden_nugget.record import parse

_AT_ONCE = 20


async def trace_older_entries(database: Database) -> int:
    """Store the hashes of some entries without any, and apply what follows for their ranking.

    Return the number of entries; 0 when all have been traced.
    """
    async with database.transaction() as session:
        moment = await ledger.lock(session)
        untraced = select(Entry).where(Entry.prefixes.is_(None)).order_by(Entry.submitted_at).limit(_AT_ONCE)
        entries = (await session.scalars(untraced)).all()
        for entry in entries:
            try:
                hashes = read_row(_hashes, entry)
            except UnreadableError:
                hashes = ()  # so that it does not hold up the others
            await session.execute(update(Entry).where(Entry.id == entry.id).values(prefixes=hashes))
            await lineage.mark_derived(session, entry, moment)
    return len(entries)


def _hashes(entry: Entry) -> Sequence[bytes]:
    return verify(parse(entry.record)).prefix_hashes
