"""Reminding players of commitments that they have not revealed."""

from datetime import timedelta

from sqlalchemy import func, update

from app.core.database.session import Database
from app.core.i18n.text import _
from app.core.realtime.bus import Bus
from app.nugget.commitments.models import Commitment
from app.nugget.commitments.queries import EXPIRES_AT, IS_PENDING
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import Kind, NewsKind, Sent, declare
from app.people.inbox.service import News, notify

_AHEAD = timedelta(days=1)

declare(
    Kind(
        NewsKind.COMMITMENT_EXPIRES,
        _("One of your commitments expires soon"),
        "/nugget/commitments/{subject}",
        when=("expires_at", _("Reveal your record by %(moment)s UTC.")),
        still_true=(
            "SELECT FROM nugget_commitments WHERE id = notifications.subject AND entry_id IS NULL "
            "AND now() < (notifications.data ->> 'expires_at')::timestamptz"
        ),
        sent=Sent(_("Your commitments that expire soon")),
    )
)


async def remind_of_commitments(database: Database, bus: Bus) -> None:
    """Notify the players of commitments that expire within a day and are not revealed, once."""
    async with database.transaction() as session:
        reminded = (
            update(Commitment)
            .where(IS_PENDING, func.now() >= EXPIRES_AT - _AHEAD, Commitment.reminded_at.is_(None))
            .values(reminded_at=func.now())
            .returning(Commitment.id, Commitment.account_id, EXPIRES_AT)
        )
        news = [
            News(
                account_id,
                NewsKind.COMMITMENT_EXPIRES,
                name,
                None,
                {"expires_at": expires_at.isoformat()},
            )
            for name, account_id, expires_at in await session.execute(reminded)
        ]
        if news:
            await notify(session, *news)
    if news:
        bus.publish(InboxChanged(tuple({item.account_id for item in news})))
