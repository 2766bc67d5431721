"""How the best mean came down over time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.identity.models import Account
from app.nugget.models import Entry, LedgerLink
from engine.golden_nugget.ranking import Mean

_LATEST = 1_000
"""How many entries, the latest, are dots of the plot."""

_VISIBLE = (Entry.withdrawn_at.is_(None), Entry.sealed_until.is_(None))


@dataclass(frozen=True, slots=True)
class Point:
    """An entry in time."""

    entry_id: str
    username: str
    at: datetime
    mean: Mean


@dataclass(frozen=True, slots=True)
class History:
    """The latest entries, and all those that were better than every one before them; the earliest first."""

    version: tuple[int, int]
    entries: tuple[Point, ...]
    records: tuple[Point, ...]


class HistoryReader:
    """Reads the history and keeps it until it changes: it is looked at far more often."""

    def __init__(self) -> None:
        self._known: History | None = None

    async def read(self, session: AsyncSession) -> History:
        """Give the history as it is now."""
        links = select(func.coalesce(func.max(LedgerLink.sequence), 0)).scalar_subquery()
        sealed = select(func.count()).where(Entry.sealed_until.is_not(None)).scalar_subquery()
        row = (await session.execute(select(links, sealed))).one()
        version = (row[0], row[1])
        if self._known is None or self._known.version != version:
            latest = _points().order_by(Entry.submitted_at.desc()).limit(_LATEST)
            entries = tuple(_read((await session.execute(latest)).all()))[::-1]
            self._known = History(version, entries, tuple(await _records(session)))
        return self._known


async def _records(session: AsyncSession) -> list[Point]:
    best_before = func.min(Entry.mean_key).over(order_by=Entry.submitted_at, rows=(None, -1))
    ranked = select(Entry.id, Entry.mean_key, best_before.label("before")).where(*_VISIBLE).subquery()
    better = select(ranked.c.id).where((ranked.c.before.is_(None)) | (ranked.c.mean_key < ranked.c.before))
    rows = await session.execute(_points().where(Entry.id.in_(better)).order_by(Entry.submitted_at))
    return _read(rows.all())


def _points() -> Any:
    return (
        select(Entry.id, Account.username, Entry.submitted_at, Entry.counts)
        .join(Account, Account.id == Entry.account_id)
        .where(*_VISIBLE)
    )


def _read(rows: Iterable[Any]) -> list[Point]:
    return [Point(entry, name, at, Mean(sum(counts), len(counts))) for entry, name, at, counts in rows]
