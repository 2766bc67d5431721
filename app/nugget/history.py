"""How the best mean came down over time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts.models import Account
from app.nugget.models import Entry
from engine.golden_nugget.ranking import Mean

_SHOWN = 2_000
"""The latest entries that the plot shows."""


@dataclass(frozen=True, slots=True)
class Point:
    """An entry in time."""

    entry_id: str
    username: str
    at: datetime
    mean: Mean


async def points(session: AsyncSession) -> list[Point]:
    """Give the entries that may be seen, the earliest first."""
    rows = await session.execute(
        select(Entry.id, Account.username, Entry.submitted_at, Entry.counts)
        .join(Account, Account.id == Entry.account_id)
        .where(Entry.withdrawn_at.is_(None), Entry.sealed_until.is_(None))
        .order_by(Entry.submitted_at.desc())
        .limit(_SHOWN)
    )
    found = [Point(entry, name, at, Mean(sum(counts), len(counts))) for entry, name, at, counts in rows]
    return found[::-1]


def records(points: Sequence[Point]) -> list[Point]:
    """Give those that were better than all before them."""
    best: list[Point] = []
    for point in points:
        if not best or point.mean < best[-1].mean:
            best.append(point)
    return best
