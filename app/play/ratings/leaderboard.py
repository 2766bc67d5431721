"""The leaderboard of a game: settled ratings in order, provisional ones, and a distribution."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Float,
    Select,
    and_,
    bindparam,
    case,
    cast,
    exists,
    extract,
    func,
    literal,
    select,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.rank_order import RankOrder
from app.core.database.ranking import Ranking
from app.core.database.statements import is_one_of, made_once
from app.people.identity.models import Account
from app.people.identity.ranked import (
    SHOWN_COUNTRY,
    SHOWN_NAME,
    Players,
    is_ranked_by_rating,
    name_among,
    ranked_among,
)
from app.play.ratings.counting import (
    ALLOWANCE,
    ALLOWANCE_A_GAME,
    MANY_GAMES,
    OPPONENTS_TO_SETTLE,
    PlayersRating,
)
from app.play.ratings.models import PlayerRating, RatingChange, SpeedRating
from engine.glicko2 import PERIODS_PER_DAY, PROVISIONAL_ABOVE, SCALE, Rating
from engine.speed import Speed

BIN = 50
"""The width of a bar of the distribution, in rating points."""

_TREND = timedelta(days=30)

RatingKey = tuple[str, Speed | None]
"""What a rating is for: a game, by its key, and a speed; None for all speeds together."""

_Table = type[PlayerRating] | type[SpeedRating]


@dataclass(frozen=True, slots=True)
class RankedRating:
    """A row of a leaderboard. `rank` is among the settled ratings, None for a provisional one.

    `rating` is as it was after the last of `games` rated games, at `active_at`.
    """

    rank: int | None
    account_id: int
    username: str | None
    is_computer: bool
    rating: Rating
    games: int
    active_at: datetime
    country: str | None

    @property
    def deviation(self) -> int:
        """Return the deviation, rounded."""
        return round(self.rating.deviation)


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """The rank of a settled rating, and the percentage of settled players with a lower rating."""

    rank: int
    percentile: float


@cache
def settled(game: str, players: Players = "everybody", speed: Speed | None = None) -> Ranking[RankedRating]:
    """Return the ranking of the settled ratings of some players at a game; equal ratings share a rank.

    They are those of all games, or those of games at a speed.
    """
    table = _table(speed)
    name = f"ratings:{game}" if speed is None else f"ratings:{game}:{speed}"
    return Ranking(
        _order(table),
        _rows(table),
        (*_of_game(game, speed), _is_ranked(table)),
        table.account_id,
        ranked_among(players, is_ranked_by_rating),
        _ranked,
        name=name_among(players, name),
        is_of_site=True,
    )


@cache
def provisional(
    game: str, players: Players = "everybody", speed: Speed | None = None
) -> Ranking[RankedRating]:
    """Return the provisional ratings of some players at a game in order; they have no rank."""
    table = _table(speed)
    return Ranking(
        _order(table),
        _rows(table),
        (*_of_game(game, speed), ~_is_ranked(table)),
        table.account_id,
        ranked_among(players, is_ranked_by_rating),
        lambda _rank, row: _ranked(None, row),
        is_of_site=True,
    )


def _table(speed: Speed | None) -> _Table:
    return PlayerRating if speed is None else SpeedRating


def _order(table: _Table) -> RankOrder:
    return RankOrder(table.rating.desc(), table.account_id, ties=1)


def _rows(table: _Table) -> Select[*tuple[Any, ...]]:
    """Return the query for what `_ranked` reads; its rows are plain ones, which are cheap."""
    return select(
        table.account_id,
        SHOWN_NAME,
        Account.is_computer,
        table.rating,
        table.deviation,
        table.volatility,
        table.games,
        table.updated_at,
        SHOWN_COUNTRY,
    ).join(Account, Account.id == table.account_id)


def _of_game(game: str, speed: Speed | None) -> tuple[ColumnElement[bool], ...]:
    if speed is None:
        return PlayerRating.game == game, PlayerRating.games > 0
    return SpeedRating.game == game, SpeedRating.speed == speed


def _is_ranked(table: _Table) -> ColumnElement[bool]:
    """Return the condition that a rating is settled, as PlayersRating.is_provisional has it."""
    days = cast(extract("epoch", func.now() - table.updated_at), Float) / 86_400
    grown = func.power(SCALE * table.volatility, 2) * days * PERIODS_PER_DAY
    deviation_now = func.sqrt(func.power(table.deviation, 2) + grown)
    more = table.games - MANY_GAMES
    allowance = case((more >= 0, func.greatest(0, ALLOWANCE - ALLOWANCE_A_GAME * more)), else_=0)
    return and_(deviation_now <= PROVISIONAL_ABOVE + allowance, table.opponents >= OPPONENTS_TO_SETTLE)


async def places(
    session: AsyncSession,
    account_id: int,
    ratings: Mapping[RatingKey, PlayersRating],
    players: Players = "everybody",
) -> dict[RatingKey, RatingPlace]:
    """Return the places of an account's ratings among the settled ones of some players.

    There is none for a provisional rating, nor for an account that is not ranked.
    """
    settled = {key: rating.rating for key, rating in ratings.items() if not rating.is_provisional}
    if not settled:
        return {}
    values = {f"rating_{number}": rating for number, rating in enumerate(settled.values())}
    rows = await session.execute(_counts(tuple(settled), players), {"account_id": account_id, **values})
    keys = list(settled)
    return {
        keys[number]: RatingPlace(better + 1, 100 * (everybody - better - equals) / max(1, everybody))
        for number, better, equals, everybody in rows
    }


@lru_cache(64)
def _counts(keys: Sequence[RatingKey], players: Players) -> CompoundSelect[int, int, int, int]:
    """Return the query for the numbers of better, equal and all ratings, for those that are ranked."""
    return union_all(*(_count(number, key, players) for number, key in enumerate(keys)))


def _count(number: int, key: RatingKey, players: Players) -> Select[int, int, int, int]:
    game, speed = key
    table, ranking = _table(speed), settled(game, players, speed)
    rating = bindparam(f"rating_{number}", type_=Float)
    equal = select(func.count()).where(*ranking.conditions, table.rating == rating)
    is_member = exists().where(*ranking.conditions, table.account_id == bindparam("account_id"))
    counts = ranking.better(rating), equal.scalar_subquery(), ranking.better(-math.inf)
    return select(literal(number), *counts).where(is_member)


async def trends(session: AsyncSession, game: str, account_ids: Sequence[int]) -> dict[int, float]:
    """Return by how much ratings at a game have changed in the last 30 days, by the accounts."""
    rows = await session.execute(*_trends(game, account_ids))
    return dict(rows.all())


@made_once
def _trends(game: str, account_ids: Sequence[int]) -> Select[int, float]:
    first = (
        select(RatingChange.account_id, RatingChange.before)
        .where(
            is_one_of(RatingChange.account_id, account_ids),
            RatingChange.game == game,
            RatingChange.changed_at > func.now() - _TREND,
        )
        .distinct(RatingChange.account_id)
        .order_by(RatingChange.account_id, RatingChange.changed_at)
        .subquery()
    )
    now = and_(PlayerRating.account_id == first.c.account_id, PlayerRating.game == game)
    return select(first.c.account_id, PlayerRating.rating - first.c.before).join(PlayerRating, now)


async def distribution(session: AsyncSession, game: str, speed: Speed | None) -> list[tuple[int, int]]:
    """Return the number of settled players by rating: (lowest rating of the bar, players), without gaps."""
    table, ranking = _table(speed), settled(game, speed=speed)
    ends = select(func.min(table.rating), func.max(table.rating)).where(*ranking.conditions)
    lowest, highest = (await session.execute(ends)).one()
    if lowest is None:
        return []
    starts = range(int(lowest // BIN * BIN), int(highest) + BIN, BIN)
    reached = [ranking.better(math.nextafter(start, -math.inf)) for start in starts]
    counts = (await session.execute(select(*reached))).one()
    return [
        (start, here - above) for start, here, above in zip(starts, counts, (*counts[1:], 0), strict=True)
    ]


def _ranked(rank: int | None, row: Any) -> RankedRating:
    account_id, username, is_computer, rating, deviation, volatility, games, active_at, country, *_key = row
    of_row = Rating(rating, deviation, volatility)
    return RankedRating(rank, account_id, username, is_computer, of_row, games, active_at, country)
