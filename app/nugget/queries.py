"""Entries as a reader may see them."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from app.core.database.rank_order import RankedPage, RankOrder
from app.core.database.statements import made_once
from app.core.database.unreadable import read_row, readable
from app.core.errors import NotFoundError, found
from app.core.moments import utc_now
from app.core.web.shown import Hidden, Id
from app.nugget import ledger, standings
from app.nugget.lineage import Lineage, lineage_of
from app.nugget.means import ShownMean
from app.nugget.models import Competition, Entry
from app.nugget.visibility import is_sealed, record_for
from app.people.identity.models import Account
from engine.golden_nugget.ledger import Link
from engine.golden_nugget.ranking import mean_of

_NEWEST = RankOrder(Entry.submitted_at.desc(), Entry.id, ties=2)


@dataclass(frozen=True, slots=True)
class EntryListed:
    """An entry in a list. All but its dates are null while it is sealed, except for its player."""

    id: Id
    boards: int | None
    mean: ShownMean | None
    rank: int | None  # among all entries, all assisted or all common ones
    assisted: bool | None
    common: bool | None
    submitted_at: datetime
    published_at: datetime | None
    opened_at: datetime | None
    withdrawn_at: datetime | None
    counts: Hidden[tuple[int, ...] | None]
    is_readable: Hidden[bool]


@dataclass(frozen=True, slots=True)
class EntryOutline(EntryListed):
    """An entry as a reader may see it, but for where its boards come from, which takes long to find.

    `record` is None for all but its owner until it is readable.
    """

    account_id: int
    username: str
    record: str | None


@dataclass(frozen=True, slots=True)
class EntryInfo(EntryOutline):
    """An entry as a reader may see it.

    `lineage` is where its boards come from; None while the entry is sealed for the reader.
    It was committed to at `submitted_at` if it was revealed later, at `revealed_at`.
    `may_be_published` is true for its owner from the end of a sealed competition on, until it is published.
    """

    record_sha256: str
    revealed_at: datetime | None
    competition_id: str | None
    lineage: Lineage | None
    links: tuple[Link, ...]
    is_mine: bool
    may_be_published: bool


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """The record of an entry as a reader may see it: None for all but its owner until it is readable."""

    id: str
    username: str
    record: str | None


async def of_account(
    session: AsyncSession, account_id: int, viewer_id: int | None, cursor: str, limit: int
) -> RankedPage[EntryListed]:
    """Return a page of an account's entries as a reader may see them, the newest first.

    Raise InvalidError `bad_cursor`.
    """
    query = (
        select(Entry, Competition)
        .outerjoin(Competition, Competition.id == Entry.competition_id)
        .where(Entry.account_id == account_id)
        .options(defer(Entry.record, raiseload=True))  # long, and not shown
    )
    found = (await session.execute(_NEWEST.select_page(query, cursor, limit))).all()
    page = _NEWEST.page(found, limit, lambda row: (row[0].submitted_at, row[0].id))
    rows = page.rows
    now, is_mine = utc_now(), viewer_id == account_id
    sealed = {
        entry.id for entry, competition in rows if competition and competition.is_sealed(now) and not is_mine
    }
    ranked = [entry for entry, _ in rows if entry.id not in sealed and entry.withdrawn_at is None]
    ranks = await standings.ranks_of(session, ranked)
    listed = readable(_listed, ((entry, entry.id in sealed, ranks.get(entry.id)) for entry, _ in rows))
    return RankedPage(tuple(listed), page.next)


def _members(entry: EntryListed) -> dict[str, Any]:
    return {field.name: getattr(entry, field.name) for field in fields(entry)}


def _listed(entry: Entry, is_secret: bool, rank: int | None) -> EntryListed:
    counts = None if is_secret else _counts(entry)
    return EntryListed(
        id=entry.id,
        boards=len(counts) if counts else None,
        mean=mean_of(counts) if counts else None,
        rank=rank,
        assisted=None if is_secret else entry.assisted,
        common=None if is_secret else entry.common,
        submitted_at=entry.submitted_at,
        published_at=entry.published_at,
        opened_at=entry.opened_at,
        withdrawn_at=entry.withdrawn_at,
        counts=counts,
        is_readable=entry.is_readable,
    )


async def outline_of(session: AsyncSession, entry_id: str, viewer_id: int | None) -> EntryOutline:
    """Return an entry as a reader may see it, but for where its boards come from. Raise NotFoundError."""
    entry, account = await load_entry(session, entry_id)
    return await _outline(
        session, entry, account, viewer_id, is_secret=await is_sealed(session, entry, utc_now())
    )


async def _outline(
    session: AsyncSession, entry: Entry, account: Account, viewer_id: int | None, *, is_secret: bool
) -> EntryOutline:
    is_mine = viewer_id == account.id
    hides_all = is_secret and not is_mine
    ranked = [] if hides_all or entry.withdrawn_at else [entry]
    ranks = await standings.ranks_of(session, ranked)
    return EntryOutline(
        **_members(read_row(_listed, entry, hides_all, ranks.get(entry.id))),
        account_id=account.id,
        username=account.username,
        record=record_for(entry, is_mine=is_mine, is_secret=is_secret),
    )


async def info_of(
    session: AsyncSession, entry_id: str, viewer_id: int | None, lineage: Lineage | None = None
) -> EntryInfo:
    """Return an entry as a reader may see it. Raise NotFoundError. The lineage is found if not given."""
    entry, account = await load_entry(session, entry_id)
    is_mine = viewer_id == account.id
    is_secret = await is_sealed(session, entry, utc_now())
    outline = await _outline(session, entry, account, viewer_id, is_secret=is_secret)
    links = tuple(await ledger.links(session, entry.id))
    is_unpublished = not is_secret and entry.published_at is None and not ledger.has_removal(links)
    return EntryInfo(
        **_members(outline),
        record_sha256=entry.record_sha256,
        revealed_at=entry.revealed_at,
        competition_id=entry.competition_id,
        lineage=None if is_secret and not is_mine else lineage or await lineage_of(session, entry),
        links=links,
        is_mine=is_mine,
        may_be_published=is_mine and is_unpublished,
    )


async def record_of(session: AsyncSession, entry_id: str, viewer_id: int | None) -> EntryRecord:
    """Return the record of an entry as a reader may see it. Raise NotFoundError."""
    entry, account = await load_entry(session, entry_id)
    is_secret = await is_sealed(session, entry, utc_now())
    record = record_for(entry, is_mine=viewer_id == account.id, is_secret=is_secret)
    return EntryRecord(entry.id, account.username, record)


async def counts_of(
    session: AsyncSession, entry_id: str, viewer_id: int
) -> tuple[str | None, tuple[int, ...]]:
    """Return the player of an entry (None for a closed account), and the moves on each of its boards.

    Raise NotFoundError, also while they are secret for the viewer.
    """
    entry, account = await load_entry(session, entry_id)
    if account.id != viewer_id and await is_sealed(session, entry, utc_now()):
        raise NotFoundError("entry")
    return None if account.closed_at else account.username, read_row(_counts, entry)


def _counts(entry: Entry) -> tuple[int, ...]:
    mean_of(entry.counts)
    return tuple(entry.counts)


async def load_entry(session: AsyncSession, entry_id: str) -> tuple[Entry, Account]:
    """Return an entry and its account. Raise NotFoundError."""
    row = found((await session.execute(*_with_account(entry_id))).one_or_none(), "entry")
    return row[0], row[1]


@made_once
def _with_account(entry_id: str) -> Select[Entry, Account]:
    return select(Entry, Account).join(Account, Account.id == Entry.account_id).where(Entry.id == entry_id)
