"""The leaderboard of a game: settled ratings in order, provisional ones, and a distribution."""

import math
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Float, and_, cast, exists, extract, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.ranking import Ranking, RankOrder
from app.people.identity.models import Account
from app.people.identity.ranked import SHOWN_NAME, is_ranked_by_rating
from app.play.ratings.counting import OPPONENTS_TO_SETTLE
from app.play.ratings.models import PlayerRating
from engine.glicko2 import PERIODS_PER_DAY, PROVISIONAL_ABOVE, SCALE, Rating

BIN = 50
"""The width of a bar of the distribution, in rating points."""

_days = cast(extract("epoch", func.now() - PlayerRating.updated_at), Float) / 86_400
_deviation_now = func.sqrt(
    func.power(PlayerRating.deviation, 2)
    + func.power(SCALE * PlayerRating.volatility, 2) * _days * PERIODS_PER_DAY
)
_IS_SETTLED = and_(_deviation_now <= PROVISIONAL_ABOVE, PlayerRating.opponents >= OPPONENTS_TO_SETTLE)

_ORDER = RankOrder(PlayerRating.rating.desc(), PlayerRating.account_id, ties=1)
_ROWS = select(PlayerRating, SHOWN_NAME, Account.is_computer).join(
    Account, Account.id == PlayerRating.account_id
)


@dataclass(frozen=True, slots=True)
class RankedRating:
    """A row of a leaderboard. `rank` is among the settled ratings, None for a provisional one.

    `rating` is as it was after the last of `games` rated games.
    """

    rank: int | None
    account_id: int
    username: str | None
    is_computer: bool
    rating: Rating
    games: int

    @property
    def deviation(self) -> int:
        """Return the deviation, rounded."""
        return round(self.rating.deviation)


@dataclass(frozen=True, slots=True)
class RatingPlace:
    """The rank of a settled rating, and the percentage of settled players with a lower rating."""

    rank: int
    percentile: float


def settled(game: str) -> Ranking[RankedRating]:
    """Return the ranking of the settled ratings at a game; equal ratings share a rank."""
    return Ranking(
        _ORDER,
        _ROWS,
        (PlayerRating.game == game, PlayerRating.games > 0, _IS_SETTLED),
        PlayerRating.account_id,
        is_ranked_by_rating,
        _ranked,
        name=f"ratings:{game}",
    )


def provisional(game: str) -> Ranking[RankedRating]:
    """Return the provisional ratings at a game in order; they have no rank."""
    return Ranking(
        _ORDER,
        _ROWS,
        (PlayerRating.game == game, PlayerRating.games > 0, ~_IS_SETTLED),
        PlayerRating.account_id,
        is_ranked_by_rating,
        lambda _rank, row: _ranked(None, row),
    )


async def place(session: AsyncSession, game: str, account_id: int, rating: Rating) -> RatingPlace | None:
    """Return the place of an account's rating among the settled ones at a game.

    Return None if it is provisional, or the account is not ranked.
    """
    ranking = settled(game)
    is_member = exists().where(*ranking.conditions, PlayerRating.account_id == account_id)
    if rating.is_provisional or not await session.scalar(select(is_member)):
        return None
    equal = select(func.count()).where(*ranking.conditions, PlayerRating.rating == rating.rating)
    counts = select(ranking.better(rating.rating), equal.scalar_subquery(), ranking.better(-math.inf))
    better, equals, everybody = (await session.execute(counts)).one()
    return RatingPlace(better + 1, 100 * (everybody - better - equals) / max(1, everybody))


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
    return RankedRating(rank, stored.account_id, row.username, row.is_computer, rating, stored.games)
