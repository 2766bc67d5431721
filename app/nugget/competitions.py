"""Competitions: created by organisers, opened and closed by the clock."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from sqlalchemy import ColumnElement, Select, and_, func, not_, select, union
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.rank_order import RankedPage, RankOrder
from app.core.database.session import Database, reads_now
from app.core.errors import ConflictError, ForbiddenError, NotFoundError, found
from app.core.i18n.text import _
from app.core.ids import new_id
from app.core.merging import Revision
from app.core.moments import utc_now
from app.core.realtime.bus import Bus
from app.core.web.shown import Hidden, Text, Username, example
from app.nugget import ledger, standings
from app.nugget.commitments.models import Commitment
from app.nugget.forms import CompetitionTerms
from app.nugget.models import Competition, Entry
from app.nugget.recurring import texts_of
from app.people.identity import audit
from app.people.identity.audit import Action
from app.people.identity.clients import Client
from app.people.identity.locking import Most
from app.people.identity.models import Account
from app.people.identity.sanctions import check_not_muted, unless_muted
from app.people.identity.service import ORGANISER, Identity
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify

_MOST_COMPETITIONS = Most(
    20,
    "too_many_competitions",
    "You have %(count)s competition that is not over yet. Wait for its end, or cancel it.",
    "You have %(count)s competitions that are not over yet. Wait for one to end, or cancel one.",
)
_SERVER = "Gorrion"
"""The name of the organiser of competitions that the server makes."""

_IS_OVER = not_(and_(Competition.ends_at > func.now(), Competition.cancelled_at.is_(None)))
_LAST_TO_END = RankOrder(Competition.ends_at.desc(), Competition.id, ties=2)


@dataclass(frozen=True, slots=True)
class CompetitionShown:
    """A competition. The ranking of a `sealed` one is secret until it ends.

    `status` is coming, open, ended or cancelled; `reason` is why it was ended early or cancelled.
    """

    id: Annotated[str, example("x7k2mq9rtz")]
    title: Annotated[str, example("Winter cup")]
    text: Text
    organiser: Username
    organiser_id: Hidden[int | None]
    status: Annotated[str, example("open")]
    starts_at: datetime
    ends_at: datetime
    min_boards: int
    max_boards: int
    visibility: Annotated[str, example("sealed")]
    entries: int
    reason: Text
    created_at: Hidden[datetime]

    @property
    def is_over(self) -> bool:
        """Return whether it has ended, and was not cancelled: its page is the final report."""
        return self.status == "ended"

    @property
    def shows_scores(self) -> bool:
        """Return whether its ranking is public."""
        return self.is_over or (self.visibility == "open" and self.status != "cancelled")


async def _may_create(session: AsyncSession, account_id: int) -> bool:
    """Return whether an account is an organiser."""
    return ORGANISER in (await session.get_one(Account, account_id)).rights


class Competitions:
    """The competitions of the server."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._bus = bus

    may_create = reads_now(_may_create)

    async def create(self, account_id: int, new: CompetitionTerms) -> str:
        """Create a competition and return its id.

        Raise ForbiddenError for a muted account or one that is not an organiser, ConflictError
        `too_many_competitions`.
        """
        not_over = select(func.count()).where(
            Competition.organiser_id == account_id,
            Competition.ends_at > func.now(),
            Competition.cancelled_at.is_(None),
        )
        async with self._database.transaction() as session:
            if not await _may_create(session, account_id):
                raise ForbiddenError(
                    "not_an_organiser",
                    _("Only organisers can create competitions. Contact the site administrator."),
                )
            await _MOST_COMPETITIONS.check(session, account_id, not_over)
            await check_not_muted(session, account_id)
            competition_id = new_id()
            session.add(Competition(id=competition_id, organiser_id=account_id, **new.model_dump()))
        return competition_id

    async def get(self, competition_id: str) -> CompetitionShown:
        """Return a competition. Raise NotFoundError."""
        async with self._database.reading_now() as session:
            matching = await _select(session, _competitions(Competition.id == competition_id))
        if not matching:
            raise NotFoundError("competition")
        return matching[0]

    async def get_own(self, competition_id: str, account_id: int) -> CompetitionShown:
        """Return a competition of an organiser. Raise NotFoundError, ForbiddenError for another's."""
        competition = await self.get(competition_id)
        _check_own(competition, account_id)
        return competition

    async def change(
        self, competition_id: str, account_id: int, change: Revision[CompetitionTerms], client: Client
    ) -> None:
        """Change a competition before its start.

        Raise NotFoundError, ForbiddenError for another organiser's or if muted, ConflictError
        `competition_started`, and what `change` raises.
        """
        async with self._database.transaction() as session:
            # Entries are accepted under the same lock and by the same clock, so it has none yet.
            moment = await ledger.lock(session)
            competition = await _locked(session, competition_id)
            _check_own(competition, account_id)
            await check_not_muted(session, account_id)
            if competition.cancelled_at is not None or competition.starts_at <= moment:
                raise ConflictError(
                    "competition_started",
                    _("A competition can be changed only before it starts. You can end it."),
                )
            stored = {name: getattr(competition, name) for name in CompetitionTerms.model_fields}
            changed = change(CompetitionTerms.model_construct(**stored))
            for name, value in changed.model_dump().items():
                setattr(competition, name, value)
            audit.record(session, Action.COMPETITION_CHANGED, account_id, client, competition_id)

    async def end(self, competition_id: str, identity: Identity, reason: str, client: Client) -> None:
        """End an open competition now, as its organiser or a moderator. A muted organiser gives no reason.

        Raise NotFoundError, ForbiddenError for another organiser's, ConflictError `competition_not_open`.
        """
        async with self._database.transaction() as session:
            moment = await ledger.lock(session)
            competition = await _locked(session, competition_id)
            _check_may_end(competition, identity)
            is_open = competition.starts_at < moment < competition.ends_at
            if competition.cancelled_at is not None or not is_open:
                raise ConflictError(
                    "competition_not_open", _("Only a competition that is open can be ended.")
                )
            competition.ends_at = moment
            competition.reason = await unless_muted(session, identity.id, reason)
            audit.record(session, Action.COMPETITION_ENDED, identity.id, client, competition_id)
            told = await _tell(session, competition, NewsKind.COMPETITION_ENDED, identity.id)
        self._bus.publish(told)

    async def cancel(self, competition_id: str, identity: Identity, reason: str, client: Client) -> None:
        """Cancel a competition, as its organiser or a moderator.

        It gets no ranking, and its entries stay in those of all entries. A muted organiser gives no reason.
        Raise NotFoundError, ForbiddenError for another organiser's, ConflictError `competition_cancelled`, or
        `competition_over`: results are final.
        """
        async with self._database.transaction() as session:
            moment = await ledger.lock(session)
            competition = await _locked(session, competition_id)
            _check_may_end(competition, identity)
            if competition.cancelled_at is not None:
                raise ConflictError(
                    "competition_cancelled", _("This competition has already been cancelled.")
                )
            if moment >= competition.ends_at:
                raise ConflictError(
                    "competition_over", _("This competition is over. Its result cannot be cancelled.")
                )
            if competition.starts_at < moment:
                competition.ends_at = moment  # which also opens what is sealed
            competition.cancelled_at = moment
            competition.reason = await unless_muted(session, identity.id, reason)
            audit.record(session, Action.COMPETITION_CANCELLED, identity.id, client, competition_id)
            told = await _tell(session, competition, NewsKind.COMPETITION_CANCELLED, identity.id)
        self._bus.publish(told)

    async def listing(self, cursor: str, limit: int) -> RankedPage[CompetitionShown]:
        """Return a page of the competitions: at most `limit` that are over, the last to end first.

        The first page, which has the cursor "", begins with those that are open and then those to come. Raise
        InvalidError `bad_cursor`.
        """
        async with self._database.reading_now() as session:
            query = _LAST_TO_END.select_page(_competitions(_IS_OVER), cursor, limit)
            rows = await _select(session, query)
        over = _LAST_TO_END.page(rows, limit, lambda competition: (competition.ends_at, competition.id))
        if cursor:
            return over
        not_over = sorted(await self.not_over(), key=lambda competition: competition.status == "coming")
        return RankedPage((*not_over, *over.rows), over.next)

    async def open(self) -> list[CompetitionShown]:
        """Return the competitions that accept entries now."""
        return [competition for competition in await self.not_over() if competition.status == "open"]

    async def not_over(self) -> list[CompetitionShown]:
        """Return the competitions that are open or to come, the last to end first."""
        async with self._database.reading_now() as session:
            return await _select(session, _competitions(not_(_IS_OVER)).order_by(*_LAST_TO_END.clauses))

    async def ranking_of(self, competition_id: str) -> str:
        """Return the name of a competition's ranking.

        Raise NotFoundError, ForbiddenError `competition_cancelled`, or `sealed` while its scores are secret.
        """
        competition = await self.get(competition_id)
        if competition.status == "cancelled":
            raise ForbiddenError(
                "competition_cancelled", _("This competition was cancelled and has no ranking.")
            )
        if not competition.shows_scores:
            raise ForbiddenError("sealed", _("The scores of this competition are sealed until it ends."))
        return standings.of_competition(competition_id)


async def open_at(session: AsyncSession, competition_id: str, at: datetime) -> Competition:
    """Return a competition that is open at a moment.

    Raise NotFoundError, or ConflictError with the reason.
    """
    competition = found(await session.get(Competition, competition_id), "competition")
    if competition.cancelled_at is not None:
        raise ConflictError("competition_cancelled", _("This competition was cancelled."))
    if at < competition.starts_at:
        raise ConflictError("competition_not_open", _("This competition has not started yet."))
    if at >= competition.ends_at:
        raise ConflictError("competition_over", _("This competition is over: it accepts no more entries."))
    return competition


async def open_for(session: AsyncSession, competition_id: str, boards: int, at: datetime) -> Competition:
    """Return a competition that accepts an entry of so many boards at a moment.

    Raise NotFoundError, or ConflictError with the reason.
    """
    competition = await open_at(session, competition_id, at)
    if not competition.min_boards <= boards <= competition.max_boards:
        raise ConflictError(
            "wrong_length",
            _(
                "This competition accepts entries of %(min_boards)s to %(max_boards)s boards; this one "
                "has %(boards)s.",
                min_boards=competition.min_boards,
                max_boards=competition.max_boards,
                boards=boards,
            ),
        )
    return competition


async def _tell(session: AsyncSession, competition: Competition, kind: NewsKind, by: int) -> InboxChanged:
    """Notify those who have entries in a competition, or commitments to reveal, and its organiser.

    It is about what the account `by` has done, which knows it, and which is named if it is the organiser, not
    if it is a moderator. Return the event to publish after the commit.
    """
    entered = await session.scalars(
        union(
            select(Entry.account_id).where(
                Entry.competition_id == competition.id, Entry.withdrawn_at.is_(None)
            ),
            select(Commitment.account_id).where(
                Commitment.competition_id == competition.id, Commitment.entry_id.is_(None)
            ),
        )
    )
    organiser_id = competition.organiser_id
    account_ids = tuple(sorted({each for each in (*entered, organiser_id) if each is not None} - {by}))
    actor = by if by == organiser_id else None
    data = {"name": competition.title}
    await notify(session, *(News(each, kind, competition.id, actor, data) for each in account_ids))
    return InboxChanged(account_ids)


async def _locked(session: AsyncSession, competition_id: str) -> Competition:
    """Return a competition, locked. Raise NotFoundError."""
    return found(await session.get(Competition, competition_id, with_for_update=True), "competition")


def _check_may_end(competition: Competition, identity: Identity) -> None:
    """Raise ForbiddenError for another organiser's, unless the identity is a moderator."""
    if not identity.is_moderator:
        _check_own(competition, identity.id)


def _check_own(competition: Competition | CompetitionShown, account_id: int) -> None:
    if competition.organiser_id != account_id:
        raise ForbiddenError("not_your_competition", _("Only the organiser of this competition can do that."))


def _competitions(condition: ColumnElement[bool]) -> Select[Competition, str, int]:
    """Return the query for competitions that meet a condition, in no order."""
    entries = (
        select(func.count())
        .where(Entry.competition_id == Competition.id, Entry.withdrawn_at.is_(None))
        .scalar_subquery()
    )
    return (
        select(Competition, func.coalesce(Account.username, _SERVER), entries)
        .outerjoin(Account, Account.id == Competition.organiser_id)
        .where(condition)
    )


async def _select(session: AsyncSession, query: Select[Competition, str, int]) -> list[CompetitionShown]:
    rows = await session.execute(query)
    now = utc_now()
    return [
        CompetitionShown(
            row.id,
            *texts_of(row),
            organiser,
            row.organiser_id,
            _status(row, now),
            row.starts_at,
            row.ends_at,
            row.min_boards,
            row.max_boards,
            row.visibility,
            count,
            row.reason,
            row.created_at,
        )
        for row, organiser, count in rows
    ]


def _status(competition: Competition, now: datetime) -> str:
    if competition.cancelled_at is not None:
        return "cancelled"
    if now < competition.starts_at:
        return "coming"
    return "open" if now < competition.ends_at else "ended"
