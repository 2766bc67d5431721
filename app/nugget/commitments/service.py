"""Committing to records, and revealing them."""

import asyncio
from datetime import timedelta

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.rank_order import RankedPage
from app.core.database.session import Database, reads_now
from app.core.errors import ConflictError, ForbiddenError, InvalidError, found
from app.core.i18n.text import _
from app.core.ids import new_id
from app.core.realtime.bus import Bus
from app.nugget import ledger
from app.nugget.accepting import Claim, RepeatedError, SubmittedEntry, accept, paths_to_accept
from app.nugget.commitments.models import Commitment
from app.nugget.commitments.queries import (
    HAS_FILE,
    IS_PENDING,
    CommitmentAccepted,
    CommitmentShown,
    listed,
    load,
    load_accepted,
)
from app.nugget.competitions import open_at
from app.nugget.contents import record_of as open_record
from app.nugget.models import Competition
from app.nugget.queries import record_of
from app.nugget.standings import RankingChanged
from app.people.identity import sanctions
from app.people.identity.locking import Most, lock_account, lock_open_account
from app.people.identity.models import Account
from app.people.identity.names import player
from app.people.identity.service import Identity, check_registered
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import withdraw
from engine.golden_nugget import sealing
from engine.golden_nugget.entry import verify_file

_MOST_PENDING = Most(
    20,
    "too_many_commitments",
    "You have %(count)s commitment to reveal. Reveal it before you make another.",
    "You have %(count)s commitments to reveal. Reveal one before you make another.",
)
_MOST_A_DAY = Most(
    50,
    "too_many_commitments",
    "You have made %(count)s commitment within a day. Try again tomorrow.",
    "You have made %(count)s commitments within a day. Try again tomorrow.",
)


class Commitments:
    """The commitments of all players."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    get = reads_now(load_accepted)

    async def commit(self, identity: Identity, sha256: str, competition_id: str | None) -> CommitmentAccepted:
        """Note in the ledger that an account has a record file with a hash, which it may reveal later.

        Raise ForbiddenError for a guest, or `no_rated_play` in a competition, NotFoundError for the
        competition, and ConflictError `known_commitment`, `too_many_commitments`, or with the competition's
        reason.
        """
        check_registered(identity, _("Register to commit to a record."), code="guest")
        async with self._database.transaction() as session:
            await lock_open_account(session, identity.id)
            await _check_number(session, identity.id)
            moment = await ledger.lock(session)
            await _check_is_new(session, identity.id, sha256)
            if competition_id is not None:
                await sanctions.check_may_play_rated(session, identity.id)
                await open_at(session, competition_id, moment)
            commitment = Commitment(
                id=new_id(),
                account_id=identity.id,
                competition_id=competition_id,
                sha256=sha256,
                committed_at=moment,
            )
            session.add(commitment)
            await session.flush()
            account = await session.get_one(Account, identity.id)
            await ledger.commit(session, commitment, account.username)
            return await load_accepted(session, commitment.id)

    async def reveal(self, identity: Identity, commitment_id: str, file: bytes) -> SubmittedEntry:
        """Make the file that an account has committed to an entry, which counts as submitted then.

        In a competition that was cancelled meanwhile it is an entry without a competition. The file of a
        muted account, whose comments may say anything, is not kept. Raise NotFoundError, ForbiddenError
        `not_your_commitment`, InvalidError `wrong_file`, ConflictError `already_revealed` (RepeatedError for
        the same file) or `commitment_expired`, and what `Entries.submit` raises.
        """
        async with self._database.reading_now() as session:
            _check_reveal(await load(session, commitment_id), identity.id, file)
        verdict = await asyncio.to_thread(verify_file, file)
        paths = await paths_to_accept(identity, verdict)
        async with self._database.transaction() as session:
            await lock_account(session, identity.id)  # nobody else may reveal it
            _check_reveal(await load(session, commitment_id), identity.id, file)
            commitment = await session.get_one(Commitment, commitment_id)
            await ledger.lock(session)  # before the competition is read, whose release may hold it
            competition_id = await _still_held(session, commitment.competition_id)
            claim = Claim(verdict, paths, competition_id, commitment=commitment)
            submitted, events = await accept(session, identity.id, claim)
            commitment.entry_id = submitted.entry.id
            commitment.file = b"" if await sanctions.is_muted(session, identity.id) else file
            await withdraw(session, commitment_id, [identity.id], NewsKind.COMMITMENT_EXPIRES)
        self._bus.publish(RankingChanged(), InboxChanged((identity.id,)), *events)
        return submitted

    async def file(self, commitment_id: str, viewer_id: int | None) -> bytes:
        """Return the file that was committed to, for those who may read the moves of its entry.

        Raise NotFoundError, also if the entry was withdrawn or the file removed, and ForbiddenError while the
        moves are secret.
        """
        async with self._database.reading_now() as session:
            revealed = select(Commitment.file, Commitment.entry_id).where(
                Commitment.id == commitment_id, HAS_FILE
            )
            row = found((await session.execute(revealed)).one_or_none(), "commitment")
            open_record(await record_of(session, row.entry_id, viewer_id))
            return bytes(row.file)

    async def of_competition(
        self, competition_id: str, cursor: str, limit: int
    ) -> RankedPage[CommitmentShown]:
        """Return a page of a competition's commitments, the newest first. Raise InvalidError `bad_cursor`."""
        async with self._database.reading_now() as session:
            return await listed(session, Commitment.competition_id == competition_id, cursor, limit)

    async def of_player(self, username: str, cursor: str, limit: int) -> RankedPage[CommitmentShown]:
        """Return a page of a player's commitments, the newest first.

        Raise NotFoundError, InvalidError `bad_cursor`.
        """
        async with self._database.reading_now() as session:
            account = await player(session, username)
            return await listed(session, Commitment.account_id == account.id, cursor, limit)


def _check_reveal(commitment: CommitmentShown, account_id: int, file: bytes) -> None:
    """Raise an error unless a file reveals a commitment of an account; see `Commitments.reveal`."""
    if commitment.account_id != account_id:
        raise ForbiddenError(
            "not_your_commitment", _("Only the player who made this commitment can reveal it.")
        )
    sha256 = sealing.hash_of(file)
    if sha256 != commitment.sha256:
        raise InvalidError(
            "wrong_file",
            _(
                "This is not the file that you committed to: its SHA-256 is %(sha256)s. Send the file with "
                "its salt, unchanged to the last byte.",
                sha256=sha256,
            ),
            extra={"sha256": sha256},
        )
    if commitment.entry_id is not None:
        raise RepeatedError(
            "already_revealed",
            _("This commitment has already been revealed."),
            extra={"entry_id": commitment.entry_id},
        )
    if commitment.status == "expired":
        raise ConflictError(
            "commitment_expired",
            _("This commitment has expired. You can still submit the record; it then counts from now on."),
        )


async def _check_number(session: AsyncSession, account_id: int) -> None:
    """Raise ConflictError `too_many_commitments` if an account has made as many as it may."""
    own = select(func.count()).where(Commitment.account_id == account_id)
    await _MOST_PENDING.check(session, account_id, own.where(IS_PENDING))
    is_of_today = Commitment.committed_at > func.now() - timedelta(days=1)
    await _MOST_A_DAY.check(session, account_id, own.where(is_of_today))


async def _check_is_new(session: AsyncSession, account_id: int, sha256: str) -> None:
    """Raise ConflictError `known_commitment` if a file was committed to before; the ledger is locked.

    Whoever has only read a hash must not be able to use it. One of the same account is named by its
    `commitment_id`.
    """
    same = select(Commitment.id, Commitment.account_id).where(Commitment.sha256 == sha256)
    known = (await session.execute(same)).one_or_none()
    if known is not None:
        raise ConflictError(
            "known_commitment",
            _("There is a commitment with this hash already. Seal your record with a new salt."),
            extra={"commitment_id": known.id} if known.account_id == account_id else None,
        )


async def _still_held(session: AsyncSession, competition_id: str | None) -> str | None:
    """Return the id of a competition unless it was cancelled."""
    if competition_id is None:
        return None
    competition = await session.get_one(Competition, competition_id)
    return competition_id if competition.cancelled_at is None else None
