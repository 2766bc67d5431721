"""The leaderboard of a game: settled ratings in order, provisional ones, and a distribution."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Float, Select, and_, bindparam, case, cast, exists, extract, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.rank_order import RankOrder
from app.core.database.ranking import Ranking
from app.core.database.statements import made_once
from app.people.identity.models import Account
from app.people.identity.ranked import (
    SHOWN_COUNTRY,
    SHOWN_NAME,
    Players,
    is_ranked_by_rating,
    name_among,
    ranked_among,
)
from app.play.ratings.counting import ALLOWANCE, ALLOWANCE_A_GAME, MANY_GAMES, OPPONENTS_TO_SETTLE
from app.play.ratings.models import PlayerRating, RatingChange
from engine.glicko2 import PERIODS_PER_DAY, PROVISIONAL_ABOVE, SCALE, Rating

BIN = 50
"""The width of a bar of the distribution, in rating points."""

_TREND = timedelta(days=30)

_days = cast(extract("epoch", func.now() - PlayerRating.updated_at), Float) / 86_400
_deviation_now = func.sqrt(
    func.power(PlayerRating.deviation, 2)
    + func.power(SCALE * PlayerRating.volatility, 2) * _days * PERIODS_PER_DAY
)
_more = PlayerRating.games - MANY_GAMES
_allowance = case((_more >= 0, func.greatest(0, ALLOWANCE - ALLOWANCE_A_GAME * _more)), else_=0)
# As PlayersRating.is_provisional has it.
_IS_RANKED = and_(
    _deviation_now <= PROVISIONAL_ABOVE + _allowance, PlayerRating.opponents >= OPPONENTS_TO_SETTLE
)

_ORDER = RankOrder(PlayerRating.rating.desc(), PlayerRating.account_id, ties=1)
_ROWS = select(PlayerRating, SHOWN_NAME, SHOWN_COUNTRY, Account.is_computer).join(
    Account, Account.id == PlayerRating.account_id
)


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
def settled(game: str, players: Players = "everybody") -> Ranking[RankedRating]:
    """Return the ranking of the settled ratings of some players at a game; equal ratings share a rank."""
    return Ranking(
        _ORDER,
        _ROWS,
        (PlayerRating.game == game, PlayerRating.games > 0, _IS_RANKED),
        PlayerRating.account_id,
        ranked_among(players, is_ranked_by_rating),
        _ranked,
        name=name_among(players, f"ratings:{game}"),
    )


@cache
def provisional(game: str, players: Players = "everybody") -> Ranking[RankedRating]:
    """Return the provisional ratings of some players at a game in order; they have no rank."""
    return Ranking(
        _ORDER,
        _ROWS,
        (PlayerRating.game == game, PlayerRating.games > 0, ~_IS_RANKED),
        PlayerRating.account_id,
        ranked_among(players, is_ranked_by_rating),
        lambda _rank, row: _ranked(None, row),
    )


async def place(
    session: AsyncSession, game: str, account_id: int, rating: Rating, players: Players = "everybody"
) -> RatingPlace | None:
    """Return the place of an account's rating among the settled ones of some players at a game.

    Return None if it is provisional, or the account is not ranked.
    """
    if rating.is_provisional:
        return None
    values = {"account_id": account_id, "rating": rating.rating}
    counts = (await session.execute(_counts(game, players), values)).one_or_none()
    if counts is None:
        return None
    better, equals, everybody = counts
    return RatingPlace(better + 1, 100 * (everybody - better - equals) / max(1, everybody))


@cache
def _counts(game: str, players: Players) -> Select[int, int, int]:
    """Return the query for the numbers of better, equal and all ratings; no row if none is the account's."""
    ranking, rating = settled(game, players), bindparam("rating", type_=Float)
    equal = select(func.count()).where(*ranking.conditions, PlayerRating.rating == rating)
    is_member = exists().where(*ranking.conditions, PlayerRating.account_id == bindparam("account_id"))
    counts = select(ranking.better(rating), equal.scalar_subquery(), ranking.better(-math.inf))
    return counts.where(is_member)


async def trends(session: AsyncSession, game: str, account_ids: Sequence[int]) -> dict[int, float]:
    """Return by how much ratings at a game have changed in the last 30 days, by the accounts."""
    rows = await session.execute(*_trends(game, account_ids))
    return dict(rows.all())


@made_once
def _trends(game: str, account_ids: Sequence[int]) -> Select[int, float]:
    first = (
        select(RatingChange.account_id, RatingChange.before)
        .where(
            RatingChange.account_id.in_(account_ids),
            RatingChange.game == game,
            RatingChange.changed_at > func.now() - _TREND,
        )
        .distinct(RatingChange.account_id)
        .order_by(RatingChange.account_id, RatingChange.changed_at)
        .subquery()
    )
    now = and_(PlayerRating.account_id == first.c.account_id, PlayerRating.game == game)
    return select(first.c.account_id, PlayerRating.rating - first.c.before).join(PlayerRating, now)


async def distribution(session: AsyncSession, game: str) -> list[tuple[int, int]]:
    """Return the number of settled players by rating: (lowest rating of the bar, players), without gaps."""
    ranking = settled(game)
    ends = select(func.min(PlayerRating.rating), func.max(PlayerRating.rating)).where(*ranking.conditions)
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
    stored: PlayerRating = row.PlayerRating
    rating = Rating(stored.rating, stored.deviation, stored.volatility)
    return RankedRating(
        rank,
        stored.account_id,
        row.username,
        row.is_computer,
        rating,
        stored.games,
        stored.updated_at,
        row.country,
    )
