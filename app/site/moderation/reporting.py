"""Adding reports of players to the queue of moderators."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.errors import FieldError
from app.core.i18n.text import _
from app.core.web.plain_text import lines
from app.people.identity.locking import Most, lock_account
from app.people.identity.models import Account
from app.people.identity.names import player
from app.people.identity.service import Identity
from app.site.moderation import places, queries
from app.site.moderation.kinds import LONGEST_SEEN, Reason
from app.site.moderation.models import Report

MOST_OPEN = Most(
    20,
    "too_many_reports",
    "The moderators have not yet read your last %(count)s report. Report more when they have.",
    "The moderators have not yet read your last %(count)s reports. Report more when they have.",
)


async def find_reported(session: AsyncSession, identity: Identity, username: str) -> Account:
    """Return the account that somebody reports. Raise NotFoundError, FieldError `own_report`."""
    account = await player(session, username)
    if account.id == identity.id:
        raise FieldError("username", "own_report", _("You cannot report yourself."))
    return account


def beginning(quote: str) -> str:
    """Return a text as a form can show and send it."""
    return lines(lines(quote[:LONGEST_SEEN])[:LONGEST_SEEN])  # the normal form may be longer


async def add_report(
    session: AsyncSession,
    account_id: int,
    reporter_id: int,
    reason: Reason,
    place: str,
    text: str,
    seen: str = "",
) -> int:
    """Return the id of a new report, or of the same one that is still open.

    What the reporter has seen is not proven: it belongs to the words of the reporter, not to the quote.
    """
    await lock_account(session, reporter_id)  # so that of two requests at once the second one finds the first
    same = select(Report.id).where(
        Report.account_id == account_id,
        Report.reporter_id == reporter_id,
        Report.reason == reason,
        Report.place == place,
        queries.is_open(),
    )
    if (known := await session.scalar(same)) is not None:
        return known
    if account_id != reporter_id:
        await MOST_OPEN.check(session, reporter_id, queries.count_open_of(reporter_id))
    quote = await places.quote(session, places.parse(place), account_id, reporter_id)
    if seen and seen != beginning(quote):
        as_seen = _("As the reporter saw it: %(text)s", text=seen)
        text = f"{text}\n{as_seen.translated()}"
    report = Report(
        account_id=account_id,
        reporter_id=reporter_id,
        reason=reason,
        place=place,
        text=text.strip(),
        quote=quote,
    )
    session.add(report)
    await session.flush()
    return report.id
