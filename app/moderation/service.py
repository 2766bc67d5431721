"""Reporting players."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.session import Database
from app.errors import ConflictError, FieldError, NotFoundError
from app.i18n.text import _, ngettext
from app.identity.limits import check_limit
from app.identity.models import Account
from app.identity.service import Identity, find
from app.moderation.models import Report
from app.moderation.reasons import Reason
from app.web.throttle import Limit, Throttle

_MOST_OPEN = 20  # reports of one account


class Moderation:
    """Reports about the players of the server."""

    def __init__(self, database: Database, throttle: Throttle) -> None:
        self._database = database
        self._throttle = throttle

    async def report(self, reporter: Identity, username: str, place: str, reason: Reason, text: str) -> int:
        """Report a player to the moderators, and return the report's id; the same report twice is one.

        Raise NotFoundError, FieldError `own_report`, ConflictError `too_many_reports`, ThrottledError.
        """
        await self._throttle.hit(Limit.REPORT, f"account:{reporter.id}")
        async with self._database.transaction() as session:
            account = await _find(session, username)
            if account.id == reporter.id:
                raise FieldError("username", "own_report", _("You cannot report yourself."))
            same = select(Report.id).where(
                Report.account_id == account.id,
                Report.reporter_id == reporter.id,
                Report.reason == reason,
                Report.place == place,
                Report.closed_at.is_(None),
            )
            await _check_number(session, reporter.id)
            if (known := await session.scalar(same)) is not None:
                return known
            report = Report(
                account_id=account.id, reporter_id=reporter.id, reason=reason, place=place, text=text.strip()
            )
            session.add(report)
            await session.flush()
            return report.id


async def _check_number(session: AsyncSession, reporter_id: int) -> None:
    count = select(func.count()).where(Report.reporter_id == reporter_id, Report.closed_at.is_(None))
    error = ConflictError(
        "too_many_reports",
        ngettext(
            "The moderators have not yet read your last %(count)s report. Report more when they have.",
            "The moderators have not yet read your last %(count)s reports. Report more when they have.",
            _MOST_OPEN,
        ),
    )
    await check_limit(session, reporter_id, count, _MOST_OPEN, error)


async def _find(session: AsyncSession, username: str) -> Account:
    account = await find(session, username)
    if account is None:
        raise NotFoundError("player")
    return account
