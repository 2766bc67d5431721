"""Reminders of tournaments that start soon."""

from datetime import timedelta

from sqlalchemy import func, select, update

from app.compete.tournaments.models import Tournament, TournamentPlayer
from app.core.database.session import Database
from app.core.realtime.bus import Bus
from app.people.inbox.events import InboxChanged
from app.people.inbox.kinds import NewsKind
from app.people.inbox.service import News, notify

_AHEAD = timedelta(minutes=15)


async def remind_of_tournaments(database: Database, bus: Bus) -> None:
    """Notify the players of tournaments that start within 15 minutes, once."""
    async with database.transaction() as session:
        reminded = (
            update(Tournament)
            .where(
                Tournament.status == "created",
                Tournament.starts_at <= func.now() + _AHEAD,
                Tournament.reminded_at.is_(None),
            )
            .values(reminded_at=func.now())
            .returning(Tournament.id, Tournament.name, Tournament.starts_at)
        )
        data = {
            row.id: {"name": row.name, "starts_at": row.starts_at.isoformat()}
            for row in await session.execute(reminded)
        }
        rows = await session.execute(
            select(TournamentPlayer.tournament_id, TournamentPlayer.account_id).where(
                TournamentPlayer.tournament_id.in_(data)
            )
        )
        news = [
            News(account_id, NewsKind.TOURNAMENT_SOON, tournament_id, data=data[tournament_id])
            for tournament_id, account_id in rows
        ]
        if news:
            await notify(session, *news)
    if news:
        bus.publish(InboxChanged(tuple({item.account_id for item in news})))
