"""Accepting an entry: checking it, and adding it to the ledger and the rankings, in one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import ConflictError, InvalidError, Members
from app.core.events import Event
from app.core.i18n.text import _
from app.core.ids import new_id
from app.nugget import ledger, standings
from app.nugget.commitments.models import Commitment
from app.nugget.competitions import open_for
from app.nugget.lineage import credit, trace
from app.nugget.models import Entry
from app.nugget.queries import EntryInfo, info_of
from app.people.identity import sanctions, suspicions
from app.people.identity.locking import Most
from app.people.identity.models import Account
from app.people.identity.service import Identity, check_registered
from app.people.identity.suspicions import Suspicion
from engine.golden_nugget.entry import Verdict, canonical
from engine.golden_nugget.lineage import Path, landmarks, paths_of
from engine.golden_nugget.ranking import mean_of

_MOST = Most(
    1_000,
    "too_many_entries",
    "You have %(count)s entry. Withdraw it before you submit another.",
    "You have %(count)s entries. Withdraw one before you submit another.",
)
_MOST_A_DAY = Most(
    50,
    "too_many_entries",
    "You have submitted %(count)s entry within a day. Try again tomorrow.",
    "You have submitted %(count)s entries within a day. Try again tomorrow.",
)


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
    """The player has submitted this entry before, as by a double click; `extra` has its `entry_id`."""


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


async def accept(
    session: AsyncSession, account_id: int, claim: Claim
) -> tuple[SubmittedEntry, Sequence[Event]]:
    """Make an account's claim an entry, in the caller's transaction; see `Entries.submit` for what it raises.

    One that was committed to counts as submitted then, for its rank, its competition and its lineage. Return
    the entry, and the events to publish after the commit.
    """
    await _check_number(session, account_id)
    moment = await ledger.lock(session)
    commitment, competition_id = claim.commitment, claim.competition_id
    submitted_at = commitment.committed_at if commitment else moment
    counts, record_sha256 = claim.verdict.counts, claim.verdict.sha256
    assert record_sha256 is not None
    await _check_is_new(session, account_id, record_sha256, competition_id)
    competition = None
    if competition_id is not None:
        competition = await open_for(session, competition_id, len(counts), submitted_at)
    account = await session.get_one(Account, account_id)
    lineage = await trace(session, claim.paths, account_id, submitted_at)
    claims_to_be_own = not claim.assisted and not account.is_computer
    assisted = claim.assisted or (claims_to_be_own and lineage.is_assisted)
    common = claims_to_be_own and lineage.is_common
    if competition is not None:
        if assisted:
            raise ConflictError(
                "assisted",
                _(
                    "Boards that the computer solved or helped with cannot be entered in competitions. "
                    "You can submit this record without the competition."
                ),
            )
        if common:
            raise ConflictError(
                "common",
                _(
                    "Boards that others found cannot be entered in competitions. "
                    "You can submit this record without the competition."
                ),
            )
        await sanctions.check_may_play_rated(session, account_id)
    entry = Entry(
        id=new_id(),
        account_id=account_id,
        competition_id=competition_id,
        counts=list(counts),
        mean_key=mean_of(counts).key,
        record=canonical(claim.verdict.record),
        record_sha256=record_sha256,
        submitted_at=submitted_at,
        revealed_at=moment if commitment else None,
        opened_at=moment if competition is not None and competition.released_at else None,
        assisted=assisted,
        common=common,
        positions=list(landmarks(claim.paths)),
    )
    session.add(entry)
    await session.flush()
    if common:
        await credit(session, entry.id, lineage)
    if claims_to_be_own and lineage.is_derived and not claim.continues:
        await suspicions.note(session, account_id, Suspicion.DERIVED, f"entry:{entry.id}")
    if commitment:
        await ledger.reveal(session, entry, commitment.id, account.username)
    else:
        await ledger.accept(session, entry.id, account.username, moment, record_sha256)
    placed = await standings.place_new(session, entry, account, moment)
    info = await info_of(session, entry.id, account_id, lineage)
    rank_before = placed.before.rank if placed.before else None
    return SubmittedEntry(info, rank_before), placed.events


async def _check_number(session: AsyncSession, account_id: int) -> None:
    """Raise ConflictError `too_many_entries` if an account has submitted as many as it may."""
    own = select(func.count()).where(Entry.account_id == account_id)
    await _MOST.check(session, account_id, own.where(Entry.withdrawn_at.is_(None)))
    is_of_today = Entry.submitted_at > func.now() - timedelta(days=1)
    await _MOST_A_DAY.check(session, account_id, own.where(is_of_today))


async def _check_is_new(
    session: AsyncSession, account_id: int, record_sha256: str, competition_id: str | None
) -> None:
    """Raise ConflictError `known_record` if there is an entry with a record; the ledger is locked.

    An entry of the same account is named by its `entry_id`.
    """
    same = select(Entry.id, Entry.account_id, Entry.competition_id).where(
        Entry.record_sha256 == record_sha256
    )
    known = (await session.execute(same)).one_or_none()
    if known is None:
        return
    is_mine = known.account_id == account_id
    error = RepeatedError if is_mine and known.competition_id == competition_id else ConflictError
    raise error(
        "known_record",
        _("An identical record has already been submitted."),
        extra={"entry_id": known.id} if is_mine else None,
    )
