"""What follows for the rankings from where the boards of an accepted entry come from, as it is found out."""

from datetime import datetime

from sqlalchemy import Text, any_, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from app.nugget import standings
from app.nugget.lineage import lineage_of, related
from app.nugget.models import Entry
from app.people.identity import suspicions
from app.people.identity.models import Account
from app.people.identity.suspicions import Suspicion


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
            ~Account.is_computer,
        )
        # So that each entry finds its sources as they are after this.
        .order_by(Entry.submitted_at)
    )
    for entry, account in (await session.execute(later)).all():
        await judge(session, entry, account, at)


async def judge(session: AsyncSession, entry: Entry, account: Account, at: datetime) -> None:
    """Move an entry to the assisted ones if enough of its boards come from the computer."""
    if entry.assisted or account.is_computer or not (await lineage_of(session, entry)).is_assisted:
        return
    entry.assisted, entry.assisted_at = True, at
    await session.flush()
    await suspicions.note(session, account.id, Suspicion.DERIVED, f"entry:{entry.id}")
    await standings.displace(session, entry, account, at)
    if entry.withdrawn_at is None:
        await standings.place(session, entry, account, at)
