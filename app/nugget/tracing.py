"""Judging entries by what is found out after they were accepted: where their boards come from."""

from collections.abc import Sequence

from sqlalchemy import select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.session import Database
from app.core.database.unreadable import UnreadableError, read_row
from app.nugget import ledger
from app.nugget.judging import judge, judge_followers
from app.nugget.models import Entry
from app.nugget.queries import load_entry
from app.people.identity.models import Account
from engine.golden_nugget.lineage import landmarks, paths_of
from engine.golden_nugget.record import parse

_AT_ONCE = 20


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
