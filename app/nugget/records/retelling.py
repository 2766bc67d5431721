"""Finding all records again from the entries, without holding up the ledger."""

import asyncio
import contextlib
from collections.abc import Collection
from datetime import datetime

import structlog
from sqlalchemy import and_, exists, not_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.statements import DirectStatement
from app.core.database.unreadable import UnreadableError
from app.core.moments import EPOCH
from app.nugget import ledger
from app.nugget.models import Entry
from app.nugget.records.keeping import (
    BOARD,
    COUNTING,
    MEAN,
    PLAYERS,
    PUBLIC,
    Key,
    Place,
    Told,
    counting_part,
    counting_since,
    figures_of,
    store,
    stored_changes,
)
from app.nugget.records.models import RecordChange
from app.people.identity.models import Account
from app.people.identity.ranked import HAS_LEFT
from engine.golden_nugget.board import MAX_BOARDS
from engine.golden_nugget.ranking import LENGTHS

log = structlog.get_logger()

_TRIES = 3  # of finding all records again, each of which reads all entries
_ALL = frozenset(
    Key(players, kind, number)
    for players in PLAYERS
    for kind, numbers in ((BOARD, range(1, MAX_BOARDS + 1)), (MEAN, LENGTHS))
    for number in numbers
)


async def retell(database: Database) -> None:
    """Find all records again from the entries.

    Some things change beside them: players leave or come back, and older servers accept entries. The entries
    are read without the lock of the ledger, which is only held for what has changed meanwhile.
    """
    for _ in range(_TRIES):
        async with database.transaction() as session:
            began = await ledger.lock(session)
        told = Told(_ALL)
        last: Place | None = (EPOCH, "")
        while last is not None:
            async with database.reading_now() as session:
                entries, last = await counting_part(session, EPOCH, last)
            await asyncio.to_thread(told.add, entries)
        async with database.transaction() as session:
            await ledger.lock(session)
            async for entries in counting_since(session, began):
                told.add(entries)
            changes = list(told.changes({}))
            if not await _has_lost(session, began, told, {change["entry_id"] for change in changes}):
                await store(session, await stored_changes(session, _ALL), changes)
                return
    log.warning(
        "records_not_retold", advice="Records were withdrawn all the time. It is tried again tomorrow."
    )


async def _has_lost(session: AsyncSession, since: datetime, told: Told, entry_ids: Collection[str]) -> bool:
    """Return whether an entry that has ceased to count since a moment has set or equals a record.

    Others leave no trace in what was found with them.
    """
    lost = PUBLIC.where(or_(Entry.withdrawn_at >= since, Entry.assisted_at >= since))
    for entry in await session.execute(lost):
        with contextlib.suppress(UnreadableError):
            own = figures_of(entry, is_computer=entry.is_computer)
            if entry.id in entry_ids or any(told.fewest(key) == moves for key, moves in own.items()):
                return True
    return False


_IS_OUTDATED = DirectStatement(
    select(
        or_(
            exists().where(RecordChange.account_id == Account.id, HAS_LEFT),
            and_(not_(exists(select(RecordChange.id))), exists(COUNTING)),
        )
    )
)


async def retell_outdated(database: Database) -> None:
    """Find all records again if nobody has done so yet, or if one is of a player who has left."""
    if await _IS_OUTDATED.is_true(database.pool):
        await retell(database)
