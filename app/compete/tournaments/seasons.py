"""Seasons: points over a quarter for the tournaments and competitions that the server makes by itself.

Only these count, so that nobody can make tournaments for the sake of points, and only those in which enough
players are known, so that nobody can make the opponents either. A table is computed from the points until the
season is over, and is then stored once.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, Subquery, and_, delete, exists, func, literal, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.compete.tournaments.models import SeasonAward, SeasonPlace, Tournament, TournamentPlayer
from app.core.database.rank_order import RankOrder
from app.core.database.ranking import Ranking
from app.core.database.session import Database, reads
from app.core.database.statements import made_once
from app.core.errors import NotFoundError
from app.core.moments import utc_now
from app.core.web.shown import Hidden, NextCursor, Username
from app.nugget import ledger, standings
from app.nugget.commitments.models import Commitment
from app.nugget.commitments.queries import IS_PENDING
from app.nugget.models import Competition
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked, is_ranked_by_rating, rank_now
from app.play.ratings.counting import OPPONENTS_TO_SETTLE
from app.play.ratings.models import PlayerRating
from app.play.ratings.rerating import PROVEN_AT_LEAST

POINTS = (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
"""The points of the first ten places."""

FEWEST = 4
"""The players without whom a tournament or competition gives no points; in a tournament, known ones."""

_NEW_FOR = timedelta(days=1)
_HAVE_MET_OTHERS = PlayerRating.opponents >= OPPONENTS_TO_SETTLE
_FINAL_AFTER = timedelta(minutes=10)
_PLACES = 12
_KEPT = 24  # rankings of seasons, whose statements take longer to make than to execute
_ENDED = (  # of the server's competitions
    Competition.organiser_id.is_(None),
    Competition.ends_at <= func.now(),
    Competition.cancelled_at.is_(None),
)
_IS_RELEASED = or_(Competition.visibility != "sealed", Competition.released_at.is_not(None))
_IS_FINAL = and_(  # its ranking; commitments expire some days after its end
    _IS_RELEASED, ~exists().where(Commitment.competition_id == Competition.id, IS_PENDING)
)


@dataclass(frozen=True, slots=True)
class SeasonRowShown:
    """A row of a season's table. `events` counts the tournaments and competitions with points.

    A closed account whose results stay has no `username`.
    """

    rank: int
    account_id: Hidden[int]
    username: Username | None
    points: int
    events: int


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A page of a season's table, and the cursor of the next one. A final table never changes."""

    rows: Sequence[SeasonRowShown]
    next: NextCursor | None
    is_final: bool


@dataclass(frozen=True, slots=True)
class FinalPlace:
    """The place of an account in the final table of a season with a number of players."""

    season: str
    rank: int
    points: int
    players: int


async def with_points(session: AsyncSession) -> list[str]:
    """Return the seasons in which there were points, the latest first, each as `2026-4`."""
    rows = await session.scalars(select(SeasonAward.season).distinct().order_by(SeasonAward.season.desc()))
    return list(rows)


class Seasons:
    """The tables of the seasons, which are kept forever."""

    def __init__(self, database: Database) -> None:
        self._database = database

    all = reads(with_points)

    async def table(self, season: str, cursor: str, limit: int) -> SeasonTable:
        """Return a page of the table of the current season, or of one in which there were points.

        Raise NotFoundError, InvalidError `bad_cursor`.
        """
        async with self._database.reading() as session:
            if season != season_of(utc_now()) and season not in await with_points(session):
                raise NotFoundError("season")
            page = await (await _ranking(session, season)).page(session, cursor, limit)
            return SeasonTable(page.rows, page.next, await _is_stored(session, season))

    async def row_of(self, season: str, account_id: int) -> SeasonRowShown | None:
        """Return the row of an account in a season's table, or None."""
        async with self._database.reading() as session:
            return await (await _ranking(session, season)).row_of(session, account_id)

    async def cursor_to(self, season: str, account_id: int) -> str:
        """Return the cursor of the page of a season's table with an account's row, "" for the first page."""
        async with self._database.reading() as session:
            return await (await _ranking(session, season)).cursor_to(session, account_id)

    async def places_of(self, account_id: int) -> list[FinalPlace]:
        """Return the latest final places of an account."""
        async with self._database.reading() as session:
            return [FinalPlace(*row) for row in await session.execute(*_places_of(account_id))]


@made_once
def _places_of(account_id: int) -> Select[str, int, int, int]:
    other = aliased(SeasonPlace)
    players = select(func.count()).where(other.season == SeasonPlace.season).scalar_subquery()
    return (
        select(SeasonPlace.season, rank_now(SeasonPlace, "season"), SeasonPlace.points, players)
        .where(SeasonPlace.account_id == account_id, is_ranked(SeasonPlace.account_id))
        .order_by(SeasonPlace.season.desc())
        .limit(_PLACES)
    )


def season_of(at: datetime) -> str:
    """Return the season of a moment, such as `2026-4` for the last quarter of 2026."""
    return f"{at.year}-{(at.month - 1) // 3 + 1}"


async def award_tournament(session: AsyncSession, tournament: Tournament) -> None:
    """Award the points of a tournament that has just ended, in the transaction that ends it."""
    if tournament.series is None or tournament.ended_at is None:
        return
    rows = await session.execute(
        select(TournamentPlayer.account_id, rank_now(TournamentPlayer, "tournament_id")).where(
            TournamentPlayer.tournament_id == tournament.id,
            TournamentPlayer.rank.is_not(None),
            is_ranked_by_rating(TournamentPlayer.account_id),
        )
    )
    ranks = dict(rows.all())
    if await _count_known(session, ranks, tournament.ended_at) >= FEWEST:
        await _award(session, f"tournament:{tournament.id}", season_of(tournament.ended_at), ranks)


async def _count_known(session: AsyncSession, account_ids: Collection[int], at: datetime) -> int:
    """Return how many of some accounts have met others who are known, so that results against them count.

    Accounts that meet only each other may all be of one person (see docs/ratings.md). While a site is too
    young to have players who are known, those who registered a day ago stand for them.
    """
    known = select(PlayerRating.account_id).where(_HAVE_MET_OTHERS).distinct()
    if await _count(session, known.limit(PROVEN_AT_LEAST)) < PROVEN_AT_LEAST:
        known = select(Account.id).where(Account.created_at <= at - _NEW_FOR)
        return await _count(session, known.where(Account.id.in_(account_ids)))
    return await _count(session, known.where(PlayerRating.account_id.in_(account_ids)))


async def _count(session: AsyncSession, rows: Select[int]) -> int:
    return await session.scalar(select(func.count()).select_from(rows.subquery())) or 0


async def update_seasons(database: Database) -> None:
    """Award the points of competitions that are final, and store the tables of seasons that are over.

    No table is stored while a competition that has ended waits for its final ranking.
    """
    async with database.transaction() as session:
        await ledger.lock(session)  # until all entries of the last second are stored
        is_waiting = await session.scalar(select(exists().where(*_ENDED, ~_IS_FINAL)))
        await _award_competitions(session)
        if not is_waiting:
            await _store_final_tables(session)


async def _award_competitions(session: AsyncSession) -> None:
    """Award the points of the server's competitions that have ended and are final, once.

    They are awarded again if an entry has been taken out since then, unless the season is final. They count
    for the season in which they begin, since they end with the first moment of the next one. A sealed one
    counts when its entries have been compared with all others, and each one when no commitment can be
    revealed any more.
    """
    competitions = await session.scalars(
        select(Competition).where(*_ENDED, _IS_FINAL, Competition.awarded_at.is_(None))
    )
    for competition in competitions.all():
        competition.awarded_at = func.now()
        source, season = standings.of_competition(competition.id), season_of(competition.starts_at)
        if await _is_stored(session, season):
            continue
        await session.execute(delete(SeasonAward).where(SeasonAward.source == source))
        page = await standings.ranking(source).page(session, "", len(POINTS))
        if len(page.rows) >= FEWEST:
            await _award(session, source, season, {row.account_id: row.rank for row in page.rows})


async def _store_final_tables(session: AsyncSession) -> None:
    """Store the tables of seasons that have been over for some minutes, so that all points are in."""
    current = season_of(utc_now() - _FINAL_AFTER)
    over = await session.scalars(
        select(SeasonAward.season)
        .distinct()
        .where(SeasonAward.season < current, SeasonAward.season.not_in(select(SeasonPlace.season)))
    )
    for season in over.all():
        totals = _totals(season)
        rows = select(
            literal(season),
            totals.c.account_id,
            func.rank().over(order_by=totals.c.points.desc()),
            totals.c.points,
            totals.c.events,
        )
        columns = ["season", "account_id", "rank", "points", "events"]
        await session.execute(insert(SeasonPlace).from_select(columns, rows).on_conflict_do_nothing())


async def _award(session: AsyncSession, source: str, season: str, ranks: Mapping[int, int]) -> None:
    """Award points for ranks, once for each source, which is also the name of a competition's ranking."""
    rows = [
        {
            "source": source,
            "account_id": account_id,
            "season": season,
            "rank": rank,
            "points": POINTS[rank - 1],
        }
        for account_id, rank in ranks.items()
        if rank <= len(POINTS)
    ]
    await session.execute(insert(SeasonAward).values(rows).on_conflict_do_nothing())


async def _ranking(session: AsyncSession, season: str) -> Ranking[SeasonRowShown]:
    """Return the final table of a season as a ranking, or the one so far."""
    return _ranking_of(_final if await _is_stored(session, season) else _totals, season)


@lru_cache(_KEPT)
def _ranking_of(make_table: Callable[[str], Subquery], season: str) -> Ranking[SeasonRowShown]:
    table = make_table(season)
    order = RankOrder(table.c.points.desc(), table.c.account_id, ties=1)
    rows = select(table.c.account_id, SHOWN_NAME, table.c.points, table.c.events).join(
        Account, Account.id == table.c.account_id
    )
    return Ranking(order, rows, (table.c.points > 0,), table.c.account_id, is_ranked, _row)


async def _is_stored(session: AsyncSession, season: str) -> bool:
    return bool(await session.scalar(select(exists().where(SeasonPlace.season == season))))


def _final(season: str) -> Subquery:
    return select(SeasonPlace).where(SeasonPlace.season == season).subquery()


def _totals(season: str) -> Subquery:
    """Return the points of each account in a season so far."""
    return (
        select(
            SeasonAward.account_id, func.sum(SeasonAward.points).label("points"), func.count().label("events")
        )
        .where(SeasonAward.season == season)
        .group_by(SeasonAward.account_id)
        .subquery()
    )


def _row(rank: int, row: Iterable[Any]) -> SeasonRowShown:
    account_id, username, points, events, *_key = row
    return SeasonRowShown(rank, account_id, username, int(points), events)
