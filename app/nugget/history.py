"""The best mean over time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.identity.models import Account
from app.nugget.models import Competition, Entry, LedgerLink
from engine.golden_nugget.ranking import Mean

_LATEST = 1_000
"""The most entries of the plot, the latest."""

_now: Any = func.now()
IS_SEALED = (
    select(Competition.id).where(Competition.id == Entry.competition_id, Competition.is_sealed(_now)).exists()
)
"""Whether an entry is secret until the end of its competition."""

_VISIBLE = (Entry.withdrawn_at.is_(None), ~Entry.assisted, ~IS_SEALED)


@dataclass(frozen=True, slots=True)
class Point:
    """An entry in time."""

    entry_id: str
    username: str
    at: datetime
    mean: Mean


@dataclass(frozen=True, slots=True)
class History:
    """The latest entries, and all those with a smaller mean than every earlier one; the earliest first.

    `version` changes whenever either of them does.
    """

    version: tuple[int, datetime | None]
    entries: tuple[Point, ...]
    records: tuple[Point, ...]


class HistoryReader:
    """Reads the history and caches it until it changes."""

    def __init__(self) -> None:
        self._cached: History | None = None

    async def read(self, session: AsyncSession) -> History:
        """Return the current history."""
        last_link = select(func.coalesce(func.max(LedgerLink.sequence), 0)).scalar_subquery()
        last_unsealed = (
            select(func.max(Competition.ends_at))
            .where(Competition.visibility == "sealed", Competition.ends_at <= func.now())
            .scalar_subquery()
        )
        version = (await session.execute(select(last_link, last_unsealed))).one()
        if self._cached is None or self._cached.version != version:
            latest = _points().order_by(Entry.submitted_at.desc()).limit(_LATEST)
            entries = tuple(_read((await session.execute(latest)).all()))[::-1]
            self._cached = History(version, entries, tuple(await _records(session)))
        return self._cached


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
