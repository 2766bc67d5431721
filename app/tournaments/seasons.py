"""Seasons: points over a quarter for the tournaments and competitions that the server makes by itself.

Only these count, so that nobody can make tournaments for the sake of points.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import distinct, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from app.database.ranking import Order, RankedPage, Ranking
from app.database.session import Database
from app.identity.models import Account
from app.nugget import standings
from app.nugget.models import Competition
from app.tournaments.models import SeasonAward, Tournament, TournamentPlayer

POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
"""The points of the first ten places."""

_FEWEST = 4  # players without whom nothing counts


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A row of a season's table. `events` counts the tournaments and competitions with points."""

    rank: int
    account_id: int
    username: str
    points: int
    events: int


class Seasons:
    """The tables of the seasons, which are kept for ever."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> list[str]:
        """Return the seasons in which there were points, the latest first, each as `2026-4`."""
        async with self._database.reading() as session:
            rows = await session.scalars(
                select(distinct(SeasonAward.season)).order_by(SeasonAward.season.desc())
            )
            return list(rows)

    async def table(self, season: str, cursor: str, limit: int) -> RankedPage[SeasonRow]:
        """Return a page of a season's table. Raise InvalidError `bad_cursor`."""
        async with self._database.reading() as session:
            return await _ranking(season).page(session, cursor, limit)


def season_of(moment: datetime) -> str:
    """Return the season of a moment, such as `2026-4` for the last quarter of 2026."""
    return f"{moment.year}-{(moment.month - 1) // 3 + 1}"


async def award_tournament(session: AsyncSession, tournament: Tournament) -> None:
    """Award the points of a tournament that has just ended, in the transaction that ends it."""
    if tournament.series is None or tournament.ended_at is None:
        return
    rows = await session.execute(
        select(TournamentPlayer.account_id, TournamentPlayer.rank).where(
            TournamentPlayer.tournament_id == tournament.id, TournamentPlayer.rank.is_not(None)
        )
    )
    ranks = {account_id: rank for account_id, rank in rows if rank is not None}
    await _award(session, f"tournament:{tournament.id}", tournament.ended_at, ranks)


async def award_competitions(database: Database) -> None:
    """Award the points of the server's competitions that have ended and have none yet."""
    async with database.transaction() as session:
        source = func.concat("competition:", Competition.id)
        competitions = await session.scalars(
            select(Competition).where(
                Competition.organiser_id.is_(None),
                Competition.ends_at <= func.now(),
                Competition.cancelled_at.is_(None),
                source.not_in(select(SeasonAward.source)),
            )
        )
        for competition in competitions.all():
            ranking = standings.ranking(standings.of_competition(competition.id))
            page = await ranking.page(session, "", len(POINTS))
            ranks = {row.account_id: row.rank for row in page.rows}
            await _award(session, f"competition:{competition.id}", competition.ends_at, ranks)


async def _award(session: AsyncSession, source: str, at: datetime, ranks: Mapping[int, int]) -> None:
    """Award points for ranks, once for each source."""
    if len(ranks) < _FEWEST:
        return
    rows = [
        {
            "source": source,
            "account_id": account_id,
            "season": season_of(at),
            "rank": rank,
            "points": POINTS[rank - 1],
        }
        for account_id, rank in ranks.items()
        if rank <= len(POINTS)
    ]
    await session.execute(insert(SeasonAward).values(rows).on_conflict_do_nothing())


def _ranking(season: str) -> Ranking[SeasonRow]:
    table = (
        select(
            SeasonAward.account_id,
            func.sum(SeasonAward.points).label("points"),
            func.count().label("events"),
        )
        .where(SeasonAward.season == season)
        .group_by(SeasonAward.account_id)
        .subquery()
    )
    order = Order(table.c.points.desc(), table.c.account_id, ties=1)
    rows = select(table.c.account_id, Account.username, table.c.points, table.c.events).join(
        Account, Account.id == table.c.account_id
    )
    return Ranking(order, rows, (table.c.points > 0,), table.c.account_id, _row)


def _row(rank: int, row: Iterable[Any]) -> SeasonRow:
    account_id, username, points, events, *_key = row
    return SeasonRow(rank, account_id, username, int(points), events)
