"""Releasing sealed competitions that have ended; the server does so on a schedule."""

import contextlib
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.statements import DirectStatement
from app.core.database.unreadable import UnreadableError
from app.core.realtime.bus import Bus
from app.nugget import ledger, standings
from app.nugget.events import RankingChanged
from app.nugget.judging import judge_followers
from app.nugget.models import Competition, Entry
from app.people.identity.models import Account


def _ended(moment: Any) -> Select[Competition]:
    """Return the query for the competitions to release that have ended by a moment."""
    return select(Competition).where(
        Competition.visibility == "sealed",
        Competition.released_at.is_(None),
        Competition.ends_at <= moment,
    )


_HAS_ENDED = DirectStatement(select(_ended(func.now()).exists()))


async def release_ended(database: Database, bus: Bus) -> int:
    """Add the entries of sealed competitions that have ended to the rankings of all entries.

    Return the number of competitions; none is released twice.
    """
    if not await _HAS_ENDED.is_true(database.pool):
        return 0
    async with database.transaction() as session:
        moment = await ledger.lock(session)
        competitions = (await session.scalars(_ended(moment))).all()
        for competition in competitions:
            await _release(session, competition, moment)
    if competitions:
        bus.publish(RankingChanged())
    return len(competitions)


async def _release(session: AsyncSession, competition: Competition, moment: datetime) -> None:
    entries = (
        select(Entry, Account)
        .join(Account, Account.id == Entry.account_id)
        .where(Entry.competition_id == competition.id, Entry.withdrawn_at.is_(None))
    )
    for entry, account in (await session.execute(entries)).all():
        with contextlib.suppress(UnreadableError):
            await standings.place_new(session, entry, account, moment)
        await judge_followers(session, entry, moment)
    competition.released_at = moment
