"""Entries: submitted, published, withdrawn, and shown to those who may see them."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.events import RankingChanged
from app.identity.models import Account
from app.identity.service import Identity
from app.ids import new_id
from app.moments import utc_now
from app.nugget import competitions, ledger, runs, standings
from app.nugget.models import Entry
from app.realtime.bus import Bus
from engine.golden_nugget.board import Move
from engine.golden_nugget.entry import Verdict, canonical, verify
from engine.golden_nugget.ledger import Link
from engine.golden_nugget.play import read_moves
from engine.golden_nugget.ranking import Mean, mean_of
from engine.golden_nugget.record import from_moves, parse


class InvalidEntryError(InvalidError):
    """The record breaks a rule; `verdict` tells every problem."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(
            "invalid_entry",
            "This record is not an entry yet. Mend what is listed and submit it again.",
            extra=verdict.as_json(),
        )
        self.verdict = verdict


@dataclass(frozen=True, slots=True)
class EntryInfo:
    """An entry as one reader may see it: `record` is None while its moves are its owner's secret.

    `counts` are None while it is sealed in a competition that has not ended, for all but its owner.
    """

    id: str
    account_id: int
    username: str
    counts: tuple[int, ...] | None
    record: str | None
    digest: str
    submitted_at: datetime
    published_at: datetime | None
    withdrawn_at: datetime | None
    competition_id: str | None
    assisted: bool
    rank: int | None
    links: tuple[Link, ...]
    is_mine: bool

    @property
    def mean(self) -> Mean | None:
        """Give the mean of moves per board, where it may be seen."""
        return Mean(sum(self.counts), len(self.counts)) if self.counts else None


@dataclass(frozen=True, slots=True)
class Submitted:
    """What a submission led to: the entry, its player's rank before (None: none), and the entry's own."""

    id: str
    rank_before: int | None
    rank: int


async def submit_run(
    session: AsyncSession, identity: Identity, run_id: str, boards: int, competition_id: str | None = None
) -> Submitted:
    """Accept the first boards of a run as an entry; see `submit`. Raises NotFoundError, InvalidError."""
    state = await runs.get(session, run_id, identity.id)
    moves = await runs.first_boards(session, run_id, identity.id, boards)
    verdict = verify(from_moves([map(str, board) for board in moves]))
    return await submit(session, identity, verdict, competition_id, assisted=state.is_assisted)


async def submit(
    session: AsyncSession,
    identity: Identity,
    verdict: Verdict,
    competition_id: str | None = None,
    *,
    assisted: bool = False,
) -> Submitted:
    """Accept an entry; one that the computer helped with ranks among its like, and in no competition.

    Raises InvalidEntryError, ForbiddenError for a guest, ConflictError `known_record`, `assisted`.
    """
    if identity.is_guest:
        raise ForbiddenError(
            "guest", "Entries need a name. Register (your runs stay yours), then submit again."
        )
    if not verdict.valid:
        raise InvalidEntryError(verdict)
    entry = Entry(
        id=new_id(),
        account_id=identity.id,
        counts=list(verdict.counts),
        mean_key=mean_of(verdict.counts).key,
        record=canonical(verdict.record),
        digest=verdict.sha256,
        assisted=assisted,
    )
    # From here on one submission at a time, so that times and links come in one order.
    await ledger.lock(session)
    entry.submitted_at = utc_now()
    if competition_id is not None:
        if assisted:
            raise ConflictError(
                "assisted", "The computer helped with this run, so it can be in no competition."
            )
        competition = await competitions.open_for(session, competition_id, entry)
        entry.competition_id = competition.id
        entry.sealed_until = competition.ends_at if competition.visibility == "sealed" else None
    session.add(entry)
    try:
        await session.flush()
    except IntegrityError:
        raise ConflictError(
            "known_record",
            "A record with these very moves is in the ledger already, so it is not taken again.",
        ) from None
    account = await session.get_one(Account, identity.id)
    world = standings.world_of(entry)
    before = await standings.row_of(session, account.id, world)
    await ledger.accept(session, entry.id, account.username, entry.submitted_at, entry.digest)
    await standings.place(session, entry, account)
    rank = await standings.rank_of(session, verdict.counts, world)
    return Submitted(entry.id, before.rank if before else None, rank)


async def get(session: AsyncSession, entry_id: str, reader: int | None) -> EntryInfo:
    """Give an entry as a reader may see it. Raises NotFoundError."""
    entry, account = await _load(session, entry_id)
    is_mine = reader == account.id
    sealed = entry.sealed_until is not None and entry.sealed_until > utc_now() and not is_mine
    in_ranking = not sealed and entry.withdrawn_at is None
    return EntryInfo(
        id=entry.id,
        account_id=account.id,
        username=account.username,
        counts=None if sealed else tuple(entry.counts),
        record=entry.record if is_mine or entry.published_at else None,
        digest=entry.digest,
        submitted_at=entry.submitted_at,
        published_at=entry.published_at,
        withdrawn_at=entry.withdrawn_at,
        competition_id=entry.competition_id,
        assisted=entry.assisted,
        rank=await standings.rank_of(session, entry.counts, standings.world_of(entry))
        if in_ranking
        else None,
        links=tuple(await ledger.links(session, entry.id)),
        is_mine=is_mine,
    )


async def of_account(session: AsyncSession, account_id: int, reader: int | None) -> list[EntryInfo]:
    """List an account's entries, the newest first."""
    ids = select(Entry.id).where(Entry.account_id == account_id).order_by(Entry.submitted_at.desc())
    return [await get(session, entry_id, reader) for entry_id in await session.scalars(ids)]


async def publish(session: AsyncSession, entry_id: str, account_id: int) -> None:
    """Show an entry's moves to everybody, for good. Raises ForbiddenError for somebody else's."""
    entry, _ = await _own(session, entry_id, account_id)
    if entry.published_at is None:
        entry.published_at = utc_now()


async def withdraw(session: AsyncSession, entry_id: str, account_id: int) -> None:
    """Take an entry out of the rankings, for good; the ledger says so. Raises ConflictError if it is out."""
    entry, account = await _own(session, entry_id, account_id)
    if entry.withdrawn_at is not None:
        raise ConflictError("withdrawn", "This entry was withdrawn before.")
    await ledger.lock(session)
    entry.withdrawn_at = utc_now()
    await session.flush()
    await ledger.withdraw(session, entry.id, entry.withdrawn_at)
    await standings.displace(session, entry, account)


def announce(bus: Bus) -> None:
    """Tell everybody who looks at a ranking that it changed."""
    bus.publish(RankingChanged())


def moves_in(record: str) -> list[tuple[Move, ...]]:
    """Give the moves of a stored record, board by board."""
    return [read_moves(" ".join(board.moves)) for board in parse(record).record.boards]


async def _load(session: AsyncSession, entry_id: str) -> tuple[Entry, Account]:
    rows = select(Entry, Account).join(Account, Account.id == Entry.account_id).where(Entry.id == entry_id)
    found = (await session.execute(rows)).one_or_none() if entry_id.isalnum() else None
    if found is None:
        raise NotFoundError("entry")
    return found[0], found[1]


async def _own(session: AsyncSession, entry_id: str, account_id: int) -> tuple[Entry, Account]:
    entry, account = await _load(session, entry_id)
    if account.id != account_id:
        raise ForbiddenError("not_your_entry", "Only the player whose entry it is can do that.")
    await session.refresh(entry, with_for_update=True)
    return entry, account
