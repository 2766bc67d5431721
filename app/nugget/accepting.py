"""Accepting an entry: checking it, and adding it to the ledger and the rankings, in one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from app.core.errors import ConflictError, InvalidError, Members
from app.core.events import Event
from app.core.i18n.text import _
from app.core.ids import new_id
from app.nugget import ledger, standings
from app.nugget.commitments.models import Commitment
from app.nugget.competitions import open_for
from app.nugget.lineage import Lineage, credit, trace
from app.nugget.models import Entry
from app.nugget.queries import EntryInfo, info_of
from app.people.identity import sanctions, suspicions
from app.people.identity.locking import Most, lock_open_account
from app.people.identity.service import Identity, check_registered
from app.people.identity.suspicions import Suspicion
from engine.golden_nugget.entry import Verdict, canonical
from engine.golden_nugget.lineage import Path, landmarks, paths_of
from engine.golden_nugget.ranking import mean_of

_MOST = Most(
    1_000,
    "too_many_entries",
    "You have submitted %(count)s entry, withdrawn ones included. An account can have no more.",
    "You have submitted %(count)s entries, withdrawn ones included. An account can have no more.",
)
_MOST_A_DAY = Most(
    50,
    "too_many_entries",
    "You have submitted %(count)s entry within a day. Try again tomorrow.",
    "You have submitted %(count)s entries within a day. Try again tomorrow.",
)


_SAME = _("An identical record has already been submitted.")


class InvalidEntryError(InvalidError):
    """The record breaks a rule; `verdict` has every problem."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(
            "invalid_entry",
            _("The record has problems. Fix the ones listed and submit it again."),
            extra=cast("Members", verdict.as_json()),
        )
        self.verdict = verdict


class RepeatedError(ConflictError):
    """The player has submitted this entry before, as by a double click: the answer may have been lost."""

    @property
    def page(self) -> str:
        """Return the path of that entry, whose id `extra` has."""
        return f"/nugget/entries/{self.extra['entry_id']}"


@dataclass(frozen=True, slots=True)
class SubmittedEntry:
    """An accepted entry, and the best rank of its player before; None if there was none."""

    entry: EntryInfo
    rank_before: int | None


async def paths_to_accept(identity: Identity, verdict: Verdict) -> Sequence[Path]:
    """Return the paths of a record that an account submits.

    Raise ForbiddenError `guest`, InvalidEntryError.
    """
    check_registered(
        identity,
        _("Register to submit entries. Your runs are kept and you can submit them afterwards."),
        code="guest",
    )
    if not verdict.valid:
        raise InvalidEntryError(verdict)
    return await asyncio.to_thread(paths_of, verdict.record)


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to become an entry: a valid record and its paths, and the id of its competition, if any.

    `assisted` says that the computer helped, `continues` that it was begun openly with boards of somebody
    else. `commitment` is the one that it was committed to with, None if it is submitted now.
    """

    verdict: Verdict
    paths: Sequence[Path]
    competition_id: str | None
    assisted: bool = False
    continues: bool = False
    commitment: Commitment | None = None

    @property
    def record_sha256(self) -> str:
        """Return the SHA-256 of the record."""
        assert self.verdict.sha256 is not None
        return self.verdict.sha256


async def accept(
    session: AsyncSession, account_id: int, claim: Claim
) -> tuple[SubmittedEntry, Sequence[Event]]:
    """Make an account's claim an entry, in the caller's transaction; see `Entries.submit` for what it raises.

    One that was committed to counts as submitted then, for its rank, its competition and its lineage. Return
    the entry, and the events to publish after the commit.
    """
    account = await lock_open_account(session, account_id)
    await _check_number(session, account_id)
    now = await ledger.lock(session)
    entry, lineage = await _judged(session, account_id, claim, now)
    session.add(entry)
    await session.flush()
    if entry.common:
        await credit(session, entry.id, lineage)
    if claim.commitment:
        await ledger.reveal(session, entry, claim.commitment.id, account.username)
    else:
        await ledger.accept(session, entry.id, account.username, now, claim.record_sha256)
    before, events = await standings.place_new(session, entry, account, now)
    info = await info_of(session, entry.id, account_id, lineage)
    return SubmittedEntry(info, before.rank if before else None), events


async def _judged(
    session: AsyncSession, account_id: int, claim: Claim, now: datetime
) -> tuple[Entry, Lineage]:
    """Return the entry that a claim becomes, which is still to be added, and where its boards come from.

    Tell the moderators of a suspicion. Raise what `accept` raises of the claim. The ledger is locked.
    """
    counts = claim.verdict.counts
    submitted_at = claim.commitment.committed_at if claim.commitment else now
    before = await _withdrawn_before(session, account_id, claim.record_sha256, claim.competition_id)
    competition = None
    if claim.competition_id is not None:
        competition = await open_for(session, claim.competition_id, len(counts), submitted_at)
    lineage = await trace(session, claim.paths, account_id, submitted_at)
    helped = claim.assisted or any(entry.assisted for entry in before)
    entry = Entry(
        id=new_id(),
        account_id=account_id,
        competition_id=claim.competition_id,
        counts=list(counts),
        mean_key=mean_of(counts).key,
        record=canonical(claim.verdict.record),
        record_sha256=claim.record_sha256,
        submitted_at=submitted_at,
        revealed_at=now if claim.commitment else None,
        opened_at=now if competition and competition.released_at else None,
        assisted=helped or lineage.is_assisted,
        common=lineage.is_common and not helped,
        positions=list(landmarks(claim.paths)),
    )
    if competition is not None:
        _check_may_compete(entry)
        await sanctions.check_may_play_rated(session, account_id)
    if lineage.is_derived and not (helped or claim.continues or before):
        await suspicions.note(session, account_id, Suspicion.DERIVED, f"entry:{entry.id}")
    return entry, lineage


def _check_may_compete(entry: Entry) -> None:
    """Raise ConflictError `assisted` or `common` if not all boards are the player's own."""
    if entry.assisted:
        raise ConflictError(
            "assisted",
            _(
                "Boards that the computer solved or helped with cannot be entered in competitions. "
                "You can submit this record without the competition."
            ),
        )
    if entry.common:
        raise ConflictError(
            "common",
            _(
                "Boards that others found cannot be entered in competitions. "
                "You can submit this record without the competition."
            ),
        )


async def _check_number(session: AsyncSession, account_id: int) -> None:
    """Raise ConflictError `too_many_entries` if an account has submitted as many as it may."""
    own = select(func.count()).where(Entry.account_id == account_id)
    await _MOST.check(session, account_id, own)  # those that were withdrawn are kept, too
    is_of_today = Entry.submitted_at > func.now() - timedelta(days=1)
    await _MOST_A_DAY.check(session, account_id, own.where(is_of_today))


async def _withdrawn_before(
    session: AsyncSession, account_id: int, record_sha256: str, competition_id: str | None
) -> Sequence[Entry]:
    """Return the entries with a record that its player has withdrawn; it may be submitted again.

    Raise ConflictError `known_record` if there is any other, such as one that a moderator removed. One of the
    same account is named by its `entry_id`. The ledger is locked.
    """
    same = select(Entry).where(Entry.record_sha256 == record_sha256)
    entries = (await session.scalars(same.options(defer(Entry.record, raiseload=True)))).all()
    for known in entries:
        if known.account_id != account_id:
            raise ConflictError("known_record", _SAME)
        named: Members = {"entry_id": known.id}
        if known.withdrawn_at is None:
            if known.competition_id == competition_id:
                raise RepeatedError("known_record", _SAME, extra=named)
            raise ConflictError(
                "known_record",
                _(
                    "You have submitted this record already. Withdraw that entry first; then you can submit "
                    "the record again."
                ),
                extra=named,
            )
        if await ledger.is_removed(session, known.id):
            raise ConflictError("known_record", _SAME, extra=named)
    return entries
