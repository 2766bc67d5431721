"""What is secret about an entry.

Its scores and where its boards come from are so until its sealed competition ends, its moves until they are
published or opened.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.nugget.models import Competition, Entry

# A transaction that waited for the ledger began before the moment at which it works. As a subselect, the
# moment is read once, not for each competition.
_now: Any = select(func.clock_timestamp()).scalar_subquery()
# The competitions are looked up once, not for each entry: PostgreSQL would expect that hardly any is visible.
IS_SEALED = and_(
    Entry.competition_id.is_not(None),
    Entry.competition_id.in_(select(Competition.id).where(Competition.is_sealed(_now))),
)
"""Whether an entry is secret until the end of its competition."""


async def is_sealed(session: AsyncSession, entry: Entry, at: datetime) -> bool:
    """Return whether an entry is secret at a moment, before the end of its competition."""
    if entry.competition_id is None:
        return False
    return (await session.get_one(Competition, entry.competition_id)).is_sealed(at)


def record_for(entry: Entry, *, is_mine: bool, is_secret: bool) -> str | None:
    """Return the moves of an entry for a reader, None if they are secret."""
    return entry.record if is_mine or (entry.is_readable and not is_secret) else None
