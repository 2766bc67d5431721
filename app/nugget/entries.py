"""Entries: submitted, published, withdrawn, and shown to those who may see them."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.deleting import delete_in_parts
from app.core.database.rank_order import RankedPage
from app.core.database.session import Database, reads_now
from app.core.database.unreadable import UnreadableError, read
from app.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError
from app.core.i18n.text import _, ngettext
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.nugget import ledger, queries, standings
from app.nugget.accepting import Claim, SubmittedEntry, accept, paths_to_accept
from app.nugget.contents import first_moves, first_readable
from app.nugget.judging import judge_followers
from app.nugget.lineage import Lineage, trace
from app.nugget.models import Entry, RecordDraft
from app.nugget.queries import EntryInfo, EntryListed, load_entry, of_account
from app.nugget.runs import Runs, StaleRunError
from app.nugget.standings import RankingChanged, RankingRow
from app.nugget.tree.growing import grow
from app.nugget.visibility import is_sealed
from app.people.identity.models import Account
from app.people.identity.names import player
from app.people.identity.service import Identity
from engine.golden_nugget.board import Move
from engine.golden_nugget.entry import Verdict, verify
from engine.golden_nugget.lineage import paths_of
from engine.golden_nugget.record import from_moves

_DRAFTS_KEPT_FOR = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """A board 1 to watch, on which everybody starts: its player, the page of its entry, and its moves."""

    username: str | None
    url: str
    moves: Sequence[Move]


class Entries:
    """The entries of all players."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    get = reads_now(queries.info_of)
    outline = reads_now(queries.outline_of)
    record = reads_now(queries.record_of)
    counts_of = reads_now(queries.counts_of)

    async def submit_run(
        self,
        identity: Identity,
        run_id: str,
        boards: int,
        competition_id: str | None = None,
        *,
        version: int | None = None,
    ) -> SubmittedEntry:
        """Accept the first boards of a run as an entry.

        `version` is the one that its player saw, None for whatever it is. Raise NotFoundError, StaleRunError,
        InvalidError; see `submit`.
        """
        run, solved = await Runs(self._database).solved_boards(run_id, identity.id)
        if version not in (None, run.version):
            raise StaleRunError(run)
        if not 1 <= boards <= len(solved):
            raise InvalidError(
                "no_such_board",
                ngettext(
                    "This run has %(count)s solved board, not %(boards)s.",
                    "This run has %(count)s solved boards, not %(boards)s.",
                    len(solved),
                    boards=boards,
                ),
            )
        parsed = from_moves([map(str, moves) for moves in solved[:boards]])
        verdict = await asyncio.to_thread(verify, parsed)
        return await self.submit(
            identity, verdict, competition_id, assisted=run.is_assisted, continues=run.first_board > 1
        )

    async def submit(
        self,
        identity: Identity,
        verdict: Verdict,
        competition_id: str | None = None,
        *,
        assisted: bool = False,
        continues: bool = False,
    ) -> SubmittedEntry:
        """Accept an entry. One with boards of others has rankings of its own and no competition.

        `continues` says that it was begun openly with boards of somebody else.

        Raise InvalidEntryError, ForbiddenError for a guest, or `no_rated_play` in a competition,
        NotFoundError for the competition, and ConflictError `known_record` (RepeatedError if it was the same
        player's, for the same competition) unless its player has withdrawn it, `assisted`, `common`,
        `too_many_entries`, or with the competition's reason.
        """
        paths = await paths_to_accept(identity, verdict)
        async with self._database.transaction() as session:
            submitted, events = await accept(
                session,
                identity.id,
                Claim(verdict, paths, competition_id, assisted=assisted, continues=continues),
            )
        self._bus.publish(RankingChanged(), *events)
        return submitted

    async def keep_draft(self, identity: Identity, record: str, competition: str) -> None:
        """Keep a record until a guest has registered."""
        async with self._database.transaction() as session:
            await _keep_draft(session, identity.id, record, competition)

    async def draft(self, identity: Identity) -> RecordDraft | None:
        """Return the record that is kept for an account, or None."""
        async with self._database.reading_now() as session:
            return await session.get(RecordDraft, identity.id)

    async def drop_draft(self, identity: Identity) -> None:
        """Forget the record that is kept for an account, since it was submitted."""
        async with self._database.transaction() as session:
            await session.execute(delete(RecordDraft).where(RecordDraft.account_id == identity.id))

    async def preview(self, verdict: Verdict, account_id: int | None) -> tuple[int, Lineage]:
        """Return how a valid record would rank as an account's entry, and where its boards come from.

        That decides whether it would be among the assisted or common entries. None is a visitor.
        """
        paths = await asyncio.to_thread(paths_of, verdict.record)
        async with self._database.reading_now() as session:
            lineage = await trace(session, paths, account_id, utc_now())
            world = standings.world_of(assisted=lineage.is_assisted, common=lineage.is_common)
            return await standings.rank_of(session, verdict.counts, world), lineage

    async def shown(self, rows: Iterable[RankingRow]) -> ShownEntry | None:
        """Return the first board of the first of these entries whose moves everybody may see, if any."""
        with suppress(UnreadableError):
            if (found := await first_readable(self._database, rows)) is not None:
                best, record = found
                moves = read(Entry.__tablename__, best.entry_id, first_moves, record)
                return ShownEntry(best.username, f"/nugget/entries/{best.entry_id}", moves)
        return None

    async def receipt(self, entry_id: str) -> str:
        """Return the links of an entry as lines of the ledger. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            await load_entry(session, entry_id)
            return await ledger.lines(session, entry_id)

    async def ledger(self) -> AsyncIterator[str]:
        """Yield the whole ledger as JSON lines, in parts; no connection is kept while a reader is slow."""
        last = -1
        while True:
            async with self._database.reading_now() as session:
                text, last = await ledger.part(session, last)
            if not text:
                return
            yield text

    async def of_player(
        self, username: str, viewer_id: int | None, cursor: str, limit: int
    ) -> tuple[str, RankedPage[EntryListed]]:
        """Return a player's name as it is spelled, and a page of the entries, newest first.

        Raise NotFoundError, InvalidError `bad_cursor`.
        """
        async with self._database.reading_now() as session:
            account = await player(session, username)
            return account.username, await of_account(session, account.id, viewer_id, cursor, limit)

    async def publish(self, entry_id: str, account_id: int) -> EntryInfo:
        """Make the moves of an entry public, which cannot be undone.

        Raise NotFoundError, ForbiddenError for another player's entry, or ConflictError: `sealed` before the
        end of its sealed competition, `withdrawn` if a moderator removed it.
        """
        async with self._database.transaction() as session:
            moment = await ledger.lock(session)
            entry, _rest = await _own(session, entry_id, account_id)
            if entry.published_at is None and await ledger.is_removed(session, entry.id):
                raise _withdrawn()
            if await is_sealed(session, entry, moment):
                raise ConflictError(
                    "sealed",
                    _("This entry is sealed until the end of its competition. You can publish it then."),
                )
            if entry.published_at is None:
                entry.published_at = moment
                await session.flush()
                await grow(session, entry)
                await judge_followers(session, entry, moment)
            info = await queries.info_of(session, entry_id, account_id)
        self._bus.publish(RankingChanged())
        return info

    async def withdraw(self, entry_id: str, account_id: int) -> EntryInfo:
        """Remove an entry from the rankings, which cannot be undone; the ledger records it.

        Raise NotFoundError, ForbiddenError for another player's entry, ConflictError if it was withdrawn.
        """
        async with self._database.transaction() as session:
            moment = await ledger.lock(session)
            entry, account = await _own(session, entry_id, account_id)
            await _take_out(session, entry, account, moment)
            await ledger.withdraw(session, entry.id, moment)
            info = await queries.info_of(session, entry_id, account_id)
        self._bus.publish(RankingChanged())
        return info


async def hand_over_draft(session: AsyncSession, from_id: int, to_id: int) -> None:
    """Keep a guest's record for the account in which the guest has logged in."""
    draft = await session.get(RecordDraft, from_id)
    if draft is not None:
        await _keep_draft(session, to_id, draft.record, draft.competition)
        await session.delete(draft)


async def _keep_draft(session: AsyncSession, account_id: int, record: str, competition: str) -> None:
    """Keep a record for an account in place of the one before, with the competition that it is for or ""."""
    kept = {"record": record, "competition": competition, "kept_at": func.now()}
    statement = insert(RecordDraft).values(account_id=account_id, **kept)
    await session.execute(statement.on_conflict_do_update(index_elements=["account_id"], set_=kept))


async def delete_old_drafts(database: Database) -> None:
    """Delete the records that have been kept for 30 days."""
    await delete_in_parts(database, RecordDraft, RecordDraft.kept_at < func.now() - _DRAFTS_KEPT_FOR)


async def remove(session: AsyncSession, entry_id: str, account_id: int, reason: str) -> None:
    """Remove an account's entry from the rankings for a public reason, in the caller's transaction.

    Publish RankingChanged after it. Raise NotFoundError, ConflictError if the entry was withdrawn.
    """
    moment = await ledger.lock(session)
    entry, account = await load_entry(session, entry_id)
    if account.id != account_id:
        raise NotFoundError("entry")
    await session.refresh(entry, with_for_update=True)
    await _take_out(session, entry, account, moment)
    await ledger.remove(session, entry.id, moment, reason)


async def _take_out(session: AsyncSession, entry: Entry, account: Account, at: datetime) -> None:
    """Take a locked entry out of the rankings. Raise ConflictError if it was withdrawn."""
    if entry.withdrawn_at is not None:
        raise _withdrawn()
    entry.withdrawn_at = at
    await session.flush()
    await standings.displace(session, entry, account, at)


async def _own(session: AsyncSession, entry_id: str, account_id: int) -> tuple[Entry, Account]:
    """Return an entry of an account, locked."""
    entry, account = await load_entry(session, entry_id)
    if account.id != account_id:
        raise ForbiddenError("not_your_entry", _("Only the player who submitted this entry can do that."))
    await session.refresh(entry, with_for_update=True)
    return entry, account


def _withdrawn() -> ConflictError:
    return ConflictError("withdrawn", _("This entry has already been withdrawn."))
