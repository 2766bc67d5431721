"""What follows for the rankings from where the boards of accepted entries come from, as it is found out."""

import contextlib
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Text, and_, any_, func, literal, select, tuple_, update
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read_row
from app.core.events import Event
from app.core.keep_going import keep_going
from app.core.realtime.bus import Bus
from app.nugget import ledger, standings
from app.nugget.lineage import credit, lineage_of, related
from app.nugget.models import Competition, Entry
from app.nugget.queries import load_entry
from app.nugget.standings import RankingChanged
from app.people.identity import suspicions
from app.people.identity.models import Account
from app.people.identity.suspicions import Suspicion
from engine.golden_nugget.lineage import landmarks, paths_of
from engine.golden_nugget.record import parse

_AT_ONCE = 20


async def judge_followers(session: AsyncSession, source: Entry, at: datetime) -> None:
    """Judge an entry, and later ones that have boards of it.

    To be called when an entry becomes public, with the ledger locked.
    """
    found = await related(session, source)
    later = (
        select(Entry, Account)
        .join(Account, Account.id == Entry.account_id)
        .where(
            Entry.id == any_(literal(found, ARRAY(Text))),
            Entry.submitted_at >= source.submitted_at,
            ~Entry.assisted,
        )
        # So that each entry finds its sources as they are after this.
        .order_by(Entry.submitted_at)
    )
    for entry, account in (await session.execute(later)).all():
        await judge(session, entry, account, at)


async def judge(session: AsyncSession, entry: Entry, account: Account, at: datetime) -> None:
    """Move an entry to the assisted or common ones if enough of its boards come from others."""
    if entry.assisted:
        return
    lineage = await lineage_of(session, entry)
    if lineage.is_common:
        await credit(session, entry.id, lineage)
    if lineage.is_assisted:
        entry.assisted = True
    elif lineage.is_common and not entry.common:
        entry.common = True
    else:
        return
    entry.assisted_at = at
    await session.flush()
    if entry.assisted:
        await suspicions.note(session, account.id, Suspicion.DERIVED, f"entry:{entry.id}")
    await standings.displace(session, entry, account, at)
    if entry.withdrawn_at is None:
        with contextlib.suppress(UnreadableError):  # it holds up nobody else
            await standings.place(session, entry, account, at)


def _ended(moment: Any) -> Select[Competition]:
    """Return the query for the competitions to release that have ended by a moment."""
    return select(Competition).where(Competition.released_at.is_(None), Competition.ends_at <= moment)


HAS_ENDED = _ended(func.now()).exists()
"""Whether there are competitions to release."""


async def release_ended(database: Database, bus: Bus) -> int:
    """Open the entries of competitions that have ended; add those of sealed ones to the other rankings.

    Return the number of competitions; none is released twice. One that fails holds up no other.
    """
    tried: list[str] = []
    released = 0
    while (competition_id := await _next_ended(database, tried)) is not None:
        tried.append(competition_id)
        with keep_going("competition_not_released", competition=competition_id):
            released += await _release_if_ended(database, bus, competition_id)
    return released


async def _next_ended(database: Database, tried: Sequence[str]) -> str | None:
    """Return a competition to release that has not been tried, None if there is none."""
    ended = _ended(func.now()).with_only_columns(Competition.id).where(Competition.id.not_in(tried)).limit(1)
    async with database.reading_now() as session:
        competition_id: str | None = await session.scalar(ended)
        return competition_id


async def _release_if_ended(database: Database, bus: Bus, competition_id: str) -> bool:
    """Release a competition, and return whether it was not released before."""
    async with database.transaction() as session:
        moment = await ledger.lock(session)
        competition = await session.scalar(_ended(moment).where(Competition.id == competition_id))
        if competition is None:
            return False
        events = await _release(session, competition, moment)
    bus.publish(RankingChanged(), *events)
    return True


async def _release(session: AsyncSession, competition: Competition, at: datetime) -> list[Event]:
    """Open the entries of a competition, and place those that were sealed.

    Those of a competition that was cancelled stay closed. Return the events to publish after the commit.
    """
    is_entered = and_(Entry.competition_id == competition.id, Entry.withdrawn_at.is_(None))
    if competition.cancelled_at is None:
        await session.execute(update(Entry).where(is_entered).values(opened_at=at))
    if competition.visibility == "open":  # the entries are in the other rankings already
        competition.released_at = at
        await session.flush()
        return []
    entries = (
        select(Entry, Account)
        .join(Account, Account.id == Entry.account_id)
        .where(is_entered)
        .order_by(Entry.submitted_at, Entry.id)
    )
    entered = (await session.execute(entries)).all()
    # First, while none of them counts for records, so that none gives up what it never had.
    for entry, _account in entered:
        await judge_followers(session, entry, at)
    competition.released_at = at
    await session.flush()
    events: list[Event] = []
    for entry, account in entered:
        with contextlib.suppress(UnreadableError):
            _before, published = await standings.place_new(session, entry, account, at)
            events += published
    return events


async def trace_older_entries(database: Database) -> int:
    """Store the positions of some entries without any, and judge what follows for their ranking.

    Return the number of entries; 0 when all have been traced.
    """
    async with database.transaction() as session:
        moment = await ledger.lock(session)
        untraced = select(Entry).where(Entry.positions.is_(None)).order_by(Entry.submitted_at).limit(_AT_ONCE)
        entries = (await session.scalars(untraced)).all()
        for entry in entries:
            await _trace(session, entry)
            await judge_followers(session, entry, moment)
    return len(entries)


async def retrace(database: Database, after: str | None) -> Sequence[str]:
    """Judge the next entries after the one with an id again, the earliest if it is None.

    Return their ids, none if there were no more. Raise NotFoundError if there is no entry `after`.
    """
    async with database.transaction() as session:
        moment = await ledger.lock(session)
        following = select(Entry).order_by(Entry.submitted_at, Entry.id).limit(_AT_ONCE)
        if after is not None:
            last, _account = await load_entry(session, after)
            place = tuple_(Entry.submitted_at, Entry.id)
            following = following.where(place > (last.submitted_at, last.id))
        entries = (await session.scalars(following)).all()
        for entry in entries:
            await _trace(session, entry)
            await judge(session, entry, await session.get_one(Account, entry.account_id), moment)
        return [entry.id for entry in entries]


async def _trace(session: AsyncSession, entry: Entry) -> None:
    try:
        positions = read_row(_positions, entry)
    except UnreadableError:
        positions = []  # so that it does not hold up the others
    await session.execute(update(Entry).where(Entry.id == entry.id).values(positions=positions))


def _positions(entry: Entry) -> list[int]:
    return list(landmarks(paths_of(parse(entry.record).record)))
