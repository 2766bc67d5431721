"""Dated competitions: opened by an organiser, closed by the clock."""

import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.errors import ConflictError, FieldError, ForbiddenError, NotFoundError
from app.identity.models import Account
from app.ids import new_id
from app.moments import utc_now
from app.nugget import standings
from app.nugget.models import Competition, Entry
from engine.golden_nugget.board import MAX_BOARDS, MIN_BOARDS

ORGANISER = "organiser"
"""The right to open competitions."""

_TITLE = range(3, 81)
_TEXT = range(5_001)


@dataclass(frozen=True, slots=True)
class CompetitionInfo:
    """A competition as it is shown, at a moment."""

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
        """Tell whether it is `coming`, `open` or `ended`."""
        if self.now < self.starts_at:
            return "coming"
        return "open" if self.now < self.ends_at else "ended"

    @property
    def shows_scores(self) -> bool:
        """Tell whether its ranking may be seen."""
        return self.visibility == "open" or self.status == "ended"


async def create(
    session: AsyncSession,
    account_id: int,
    *,
    title: str,
    text: str,
    starts_at: datetime,
    ends_at: datetime,
    min_boards: int,
    max_boards: int,
    visibility: str,
) -> str:
    """Open a competition and give its id.

    Raises ForbiddenError without the right to, FieldError for what cannot be.
    """
    if not await may_open(session, account_id):
        raise ForbiddenError(
            "not_an_organiser", "Only organisers open competitions. Ask who runs this server."
        )
    title = " ".join(title.split())
    for field, wrong, message in (
        ("title", len(title) not in _TITLE, "A title has 3 to 80 characters."),
        ("text", len(text) not in _TEXT, "The text has at most 5,000 characters."),
        ("ends_at", not starts_at < ends_at, "It has to end after it starts."),
        ("ends_at", ends_at <= utc_now(), "Its end is over already."),
        (
            "max_boards",
            not MIN_BOARDS <= min_boards <= max_boards <= MAX_BOARDS,
            f"Boards are {MIN_BOARDS} to {MAX_BOARDS}, the smallest number first.",
        ),
        ("visibility", visibility not in ("open", "sealed"), "Scores are open, or sealed until the end."),
    ):
        if wrong:
            raise FieldError(field, "bad_competition", message)
    competition = Competition(
        id=_slug(title),
        organiser_id=account_id,
        title=title,
        text=text,
        starts_at=starts_at,
        ends_at=ends_at,
        min_boards=min_boards,
        max_boards=max_boards,
        visibility=visibility,
    )
    session.add(competition)
    await session.flush()
    return competition.id


async def get(session: AsyncSession, competition_id: str) -> CompetitionInfo:
    """Give a competition. Raises NotFoundError."""
    found = await _list(session, Competition.id == competition_id)
    if not found:
        raise NotFoundError("competition")
    return found[0]


async def everything(session: AsyncSession) -> list[CompetitionInfo]:
    """List all competitions, those that end last first."""
    return await _list(session, Competition.id.is_not(None))


async def running(session: AsyncSession) -> list[CompetitionInfo]:
    """List the competitions that take entries now."""
    return [found for found in await everything(session) if found.status == "open"]


async def may_open(session: AsyncSession, account_id: int) -> bool:
    """Tell whether an account may open competitions."""
    return ORGANISER in (await session.get_one(Account, account_id)).rights


async def ranking(
    session: AsyncSession, competition: CompetitionInfo, cursor: str | None, limit: int
) -> standings.Page:
    """Give a page of a competition's ranking. Raises ForbiddenError while it is sealed."""
    if not competition.shows_scores:
        raise ForbiddenError("sealed", "The scores of this competition are sealed until it ends.")
    return await standings.page(session, standings.competition(competition.id), cursor, limit)


async def open_for(session: AsyncSession, competition_id: str, entry: Entry) -> Competition:
    """Give a competition that takes this entry now. Raises NotFoundError, ConflictError with the reason."""
    competition = await session.get(Competition, competition_id)
    if competition is None:
        raise NotFoundError("competition")
    boards = len(entry.counts)
    if entry.submitted_at < competition.starts_at:
        raise ConflictError("competition_not_open", "This competition has not begun yet.")
    if entry.submitted_at >= competition.ends_at:
        raise ConflictError("competition_over", "This competition is over: it takes no more entries.")
    if not competition.min_boards <= boards <= competition.max_boards:
        raise ConflictError(
            "wrong_length",
            f"This competition takes entries of {competition.min_boards} to {competition.max_boards} boards; "
            f"this one has {boards}.",
        )
    return competition


async def _list(session: AsyncSession, condition: ColumnElement[bool]) -> list[CompetitionInfo]:
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


def _slug(title: str) -> str:
    """Give a readable name for the URL, which nobody else has."""
    words = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40]
    return f"{words or 'competition'}-{new_id()[:4]}"
