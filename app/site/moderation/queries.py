"""Reads of reports and of the log of moderation."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.unreadable import UnreadableRow, readable
from app.people.identity.models import Account
from app.site.moderation.models import ModerationAction, Report
from app.site.moderation.orders import ModeratorAction
from app.site.moderation.places import Place
from app.site.moderation.reasons import Reason

_Moderator = aliased(Account)
_Reporter = aliased(Account)


@dataclass(frozen=True, slots=True)
class ReportInfo:
    """A report with the names of the reported player and of the reporter, None for the server itself."""

    report: Report
    username: str
    reporter: str | None


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """A line of the log of moderation, with names."""

    action: ModerationAction
    username: str
    moderator: str


async def reports(
    session: AsyncSession, *conditions: ColumnElement[bool], limit: int
) -> Sequence[ReportInfo]:
    """Return reports that meet some conditions: the open ones first, then the latest."""
    query = (
        select(Report, Account.username, _Reporter.username)
        .join(Account, Account.id == Report.account_id)
        .outerjoin(_Reporter, _Reporter.id == Report.reporter_id)
        .where(*conditions)
        .order_by(Report.closed_at.is_not(None), Report.id.desc())
        .limit(limit)
    )
    return readable(_report, await session.execute(query))


def _report(row: Report, username: str, reporter: str | None) -> ReportInfo:
    Reason(row.reason)
    return ReportInfo(row, username, reporter)


async def unreadable(session: AsyncSession, limit: int) -> Sequence[UnreadableRow]:
    """Return the stored rows that cannot be read, the latest first."""
    rows = await session.scalars(
        select(UnreadableRow).order_by(UnreadableRow.first_seen_at.desc(), UnreadableRow.id).limit(limit)
    )
    return rows.all()


async def is_reported(session: AsyncSession, place: Place) -> bool:
    """Return whether somebody has reported a place, whatever became of the report."""
    return bool(await session.scalar(select(exists().where(Report.place == str(place)))))


def is_open() -> ColumnElement[bool]:
    """Return the condition that no moderator has dealt with a report."""
    return Report.closed_at.is_(None)


def count_open_of(reporter_id: int) -> Select[int]:
    """Return the query for the number of open reports by an account."""
    return select(func.count()).where(Report.reporter_id == reporter_id, is_open())


async def actions(
    session: AsyncSession, *conditions: ColumnElement[bool], limit: int
) -> Sequence[LoggedAction]:
    """Return lines of the log that meet some conditions, the latest first."""
    query = (
        select(ModerationAction, Account.username, _Moderator.username)
        .join(Account, Account.id == ModerationAction.account_id)
        .join(_Moderator, _Moderator.id == ModerationAction.moderator_id)
        .where(*conditions)
        .order_by(ModerationAction.id.desc())
        .limit(limit)
    )
    return [LoggedAction(*row) for row in (await session.execute(query))]


async def last_actions(
    session: AsyncSession, most: int, username: str | None = None
) -> Sequence[LoggedAction]:
    """Return the last `most` lines of the log, about one account or all; the latest first."""
    conditions = [] if username is None else [func.lower(Account.username) == username.lower()]
    return await actions(session, *conditions, limit=most)


async def is_closed_by_moderator(session: AsyncSession, account: Account) -> bool:
    """Return whether a moderator, and not its owner, has closed an account."""
    closing = exists().where(
        ModerationAction.account_id == account.id,
        ModerationAction.action == ModeratorAction.CLOSE,
        ModerationAction.at == account.closed_at,
    )
    return bool(await session.scalar(select(closing)))


async def answered(session: AsyncSession, account_id: int) -> frozenset[str]:
    """Return the places of the actions that an account has answered."""
    query = select(Report.place).where(Report.reporter_id == account_id, Report.account_id == account_id)
    return frozenset(await session.scalars(query))
