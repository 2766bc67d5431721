"""Competitions: created by organisers, opened and closed by the clock."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, true
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.ranking import RankedPage
from app.database.session import Database
from app.errors import ConflictError, ForbiddenError, NotFoundError
from app.identity.limits import check_limit
from app.identity.models import Account
from app.ids import new_id
from app.moments import utc_now
from app.nugget import standings
from app.nugget.forms import NewCompetition
from app.nugget.models import Competition, Entry
from app.nugget.standings import RankedEntry

ORGANISER = "organiser"
"""The right to create competitions."""

_MOST_COMPETITIONS = 20  # that are not over, of one organiser
_REPORTED = 10_000
"""The most rows of a competition's report."""


@dataclass(frozen=True, slots=True)
class CompetitionInfo:
    """A competition at the moment `now`."""

    id: str
    title: str
    text: str
    organiser: str
    starts_at: datetime
    ends_at: datetime
    min_boards: int
    max_boards: int
    visibility: str
    entries: int
    now: datetime

    @property
    def status(self) -> str:
        """Return `coming`, `open` or `ended`."""
        if self.now < self.starts_at:
            return "coming"
        return "open" if self.now < self.ends_at else "ended"

    @property
    def shows_scores(self) -> bool:
        """Return whether its ranking is public."""
        return self.visibility == "open" or self.status == "ended"


class Competitions:
    """The competitions of the server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(self, organiser_id: int, new: NewCompetition) -> str:
        """Create a competition and return its id.

        Raise ForbiddenError unless the account is an organiser, ConflictError `too_many_competitions`.
        """
        not_over = select(func.count()).where(
            Competition.organiser_id == organiser_id, Competition.ends_at > func.now()
        )
        error = ConflictError(
            "too_many_competitions", f"You have {_MOST_COMPETITIONS} competitions that are not over yet."
        )
        async with self._database.transaction() as session:
            if not await _may_create(session, organiser_id):
                raise ForbiddenError(
                    "not_an_organiser",
                    "Only organisers can create competitions. Contact the site administrator.",
                )
            await check_limit(session, organiser_id, not_over, _MOST_COMPETITIONS, error)
            competition_id = f"{_slug(new.title)}-{new_id()}"
            session.add(Competition(id=competition_id, organiser_id=organiser_id, **new.model_dump()))
        return competition_id

    async def may_create(self, account_id: int) -> bool:
        """Return whether an account is an organiser."""
        async with self._database.transaction() as session:
            return await _may_create(session, account_id)

    async def all(self) -> list[CompetitionInfo]:
        """Return all competitions, the last to end first."""
        async with self._database.transaction() as session:
            return await _select(session, true())

    async def open(self) -> list[CompetitionInfo]:
        """Return the competitions that accept entries now."""
        return [competition for competition in await self.all() if competition.status == "open"]

    async def ranking(self, competition_id: str, cursor: str, limit: int) -> RankedPage[RankedEntry]:
        """Return a page of a competition's ranking.

        Raise NotFoundError, ForbiddenError `sealed` while its scores are secret, InvalidError `bad_cursor`.
        """
        async with self._database.transaction() as session:
            competition = await _get(session, competition_id)
            if not competition.shows_scores:
                raise ForbiddenError("sealed", "The scores of this competition are sealed until it ends.")
            return await _ranking(session, competition_id, cursor, limit)

    async def report(self, competition_id: str) -> tuple[CompetitionInfo, tuple[RankedEntry, ...] | None]:
        """Return a competition and its whole ranking, None while that is secret. Raise NotFoundError."""
        async with self._database.transaction() as session:
            competition = await _get(session, competition_id)
            if not competition.shows_scores:
                return competition, None
            return competition, (await _ranking(session, competition_id, "", _REPORTED)).rows


async def open_for(session: AsyncSession, competition_id: str, boards: int, at: datetime) -> Competition:
    """Return a competition that accepts an entry of so many boards at a moment.

    Raise NotFoundError, or ConflictError with the reason.
    """
    competition = await session.get(Competition, competition_id)
    if competition is None:
        raise NotFoundError("competition")
    if at < competition.starts_at:
        raise ConflictError("competition_not_open", "This competition has not started yet.")
    if at >= competition.ends_at:
        raise ConflictError("competition_over", "This competition is over: it accepts no more entries.")
    if not competition.min_boards <= boards <= competition.max_boards:
        raise ConflictError(
            "wrong_length",
            f"This competition accepts entries of {competition.min_boards} to {competition.max_boards} "
            f"boards; this one has {boards}.",
        )
    return competition


async def _may_create(session: AsyncSession, account_id: int) -> bool:
    return ORGANISER in (await session.get_one(Account, account_id)).rights


async def _get(session: AsyncSession, competition_id: str) -> CompetitionInfo:
    matching = await _select(session, Competition.id == competition_id)
    if not matching:
        raise NotFoundError("competition")
    return matching[0]


async def _select(session: AsyncSession, condition: ColumnElement[bool]) -> list[CompetitionInfo]:
    entries = (
        select(func.count())
        .where(Entry.competition_id == Competition.id, Entry.withdrawn_at.is_(None))
        .scalar_subquery()
    )
    rows = await session.execute(
        select(Competition, Account.username, entries)
        .join(Account, Account.id == Competition.organiser_id)
        .where(condition)
        .order_by(Competition.ends_at.desc())
    )
    now = utc_now()
    return [
        CompetitionInfo(
            row.id,
            row.title,
            row.text,
            organiser,
            row.starts_at,
            row.ends_at,
            row.min_boards,
            row.max_boards,
            row.visibility,
            count,
            now,
        )
        for row, organiser, count in rows
    ]


async def _ranking(
    session: AsyncSession, competition_id: str, cursor: str, limit: int
) -> RankedPage[RankedEntry]:
    name = standings.of_competition(competition_id)
    return await standings.ranking(name).page(session, cursor, limit)


def _slug(title: str) -> str:
    """Return a title as words for a URL, at most 40 characters of a-z, 0-9 and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:40].strip("-") or "competition"
