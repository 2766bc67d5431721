"""Changing a ladder in one transaction, as its players and the schedule do."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.compete.ladders.events import LadderChanged
from app.compete.ladders.ladder import Ladder
from app.core.database.session import Database
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.people.inbox.events import InboxChanged


@asynccontextmanager
async def changing(database: Database, bus: Bus, game: str) -> AsyncIterator[Ladder]:
    """Yield the ladder of a game, locked; save it, and publish after the commit what has changed."""
    async with database.transaction() as session:
        ladder = await Ladder.locked(session, game, utc_now())
        yield ladder
        await ladder.save()
    bus.publish(LadderChanged(game), *ladder.started)
    if ladder.changed_inboxes:
        bus.publish(InboxChanged(ladder.changed_inboxes))
