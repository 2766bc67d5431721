"""The tree grows by every entry that is published."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read
from app.nugget import ledger
from app.nugget.models import Entry
from app.nugget.tree.models import TreeStep
from engine.golden_nugget.record import parse
from engine.golden_nugget.tree import Step, steps_of

_AT_ONCE = 20


async def grow(session: AsyncSession, entry: Entry) -> None:
    """Add the boards of a published entry to the tree, in the caller's transaction; the ledger is locked."""
    if entry.is_in_tree:
        return
    entry.is_in_tree = True
    with contextlib.suppress(UnreadableError):
        steps = await asyncio.to_thread(read, Entry.__tablename__, entry.id, _steps, entry.record)
        own = insert(TreeStep).values(entry_id=entry.id, at=entry.submitted_at)
        await session.execute(own, rows_of(steps))


async def grow_older(database: Database) -> int:
    """Add some published entries that are not in the tree yet, such as those of older servers.

    Return the number of entries; 0 when all are in it.
    """
    async with database.transaction() as session:
        await ledger.lock(session)
        missing = select(Entry).where(Entry.published_at.is_not(None), ~Entry.is_in_tree).limit(_AT_ONCE)
        entries = (await session.scalars(missing)).all()
        for entry in entries:
            await grow(session, entry)
    return len(entries)


def _steps(record: str) -> Sequence[Step]:
    return list(steps_of(parse(record).record))


def rows_of(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return the rows of the steps of an entry, but for what is of the entry alone."""
    sums = [0, *(step.reached for step in steps)]

    def over(boards: int, place: int) -> int | None:
        return sums[place + boards] - sums[place] if place + boards < len(sums) else None

    return [
        {**asdict(step), "number": place + 1, "five": over(5, place), "twenty": over(20, place)}
        for place, step in enumerate(steps)
    ]
