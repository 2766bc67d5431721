"""Ratings by speed: how well a player does in blitz, rapid and correspondence games.

They follow from the latest games. A schedule computes those of which one has changed within seconds, whether
by a new game, a voided one, or ratings that were computed again.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, delete, exists, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.session import Database
from app.core.database.statements import made_once
from app.core.database.unreadable import UnreadableError, read, readable
from app.play.games.models import Game
from app.play.ratings.counting import CountedRating, PlayersRating, Rated, points_of
from app.play.ratings.models import RatingChange, SpeedRating, SpeedsDue
from app.play.ratings.queries import as_of_now
from engine.clock import control_from_dict
from engine.glicko2 import Rating, rate
from engine.registry import FOR_TWO
from engine.speed import Speed, speed_of

MOST_GAMES = 300
"""The games at a kind of game that are looked at, the latest."""

_AT_ONCE = 500

BySpeed = Mapping[Speed, PlayersRating]
"""Ratings, each with the number of games behind it, of the speeds at which there were any."""


@dataclass(frozen=True, slots=True)
class SpeedResult:
    """A game that counted: its speed, the opponent, the opponent's rating, and the points (1, 0.5 or 0)."""

    speed: Speed
    opponent: int
    rating: Rating
    points: float
    at: datetime


async def of_account(session: AsyncSession, account_id: int) -> dict[str, BySpeed]:
    """Return an account's ratings by kind of game and speed, as of now."""
    rows = await session.scalars(*_of_account(account_id))
    by_game: dict[str, dict[Speed, PlayersRating]] = {}
    for game, speed, rating in readable(_rated, rows):
        by_game.setdefault(game, {})[speed] = rating
    return {game: {speed: by[speed] for speed in Speed if speed in by} for game, by in by_game.items()}


@made_once
def _of_account(account_id: int) -> Select[SpeedRating]:
    return select(SpeedRating).where(SpeedRating.account_id == account_id)


def _rated(row: SpeedRating) -> tuple[str, Speed, PlayersRating]:
    return FOR_TWO[row.game].key, Speed(row.speed), as_of_now(row)


IS_ANY_DUE = exists().where(SpeedsDue.id.is_not(None))
"""Whether there are ratings by speed to compute."""


async def rate_due(database: Database) -> None:
    """Compute the ratings by speed of players whose games have changed, or their opponents' ratings."""
    last = func.max(SpeedsDue.id).label("last")
    due = select(SpeedsDue.account_id, SpeedsDue.game, last).group_by(SpeedsDue.account_id, SpeedsDue.game)
    async with database.reading_now() as session:
        rows = (await session.execute(due.order_by(last).limit(_AT_ONCE))).all()
    for account_id, game, seen in rows:
        is_theirs = SpeedsDue.account_id == account_id, SpeedsDue.game == game, SpeedsDue.id <= seen
        async with database.transaction() as session:
            # First, so that of two processes one waits, and then finds nothing to do.
            taken = await session.scalars(delete(SpeedsDue).where(*is_theirs).returning(SpeedsDue.id))
            if taken.all():
                await _rate(session, account_id, game)


async def _rate(session: AsyncSession, account_id: int, game: str) -> None:
    results = []
    for row in await session.execute(_latest(account_id, game)):
        with suppress(UnreadableError):
            results.append(read(Game.__tablename__, row.id, _result, row))
    of_them = SpeedRating.account_id == account_id, SpeedRating.game == game
    await session.execute(delete(SpeedRating).where(*of_them))
    for speed, counted in by_speed(results).items():
        rating, at = counted.rated.rating, counted.rated.at
        assert at is not None
        session.add(
            SpeedRating(
                account_id=account_id,
                game=game,
                speed=speed,
                rating=rating.rating,
                deviation=rating.deviation,
                volatility=rating.volatility,
                games=counted.games,
                opponents=counted.opponents,
                updated_at=at,
            )
        )


def by_speed(results: Iterable[SpeedResult]) -> Mapping[Speed, CountedRating]:
    """Return the ratings by speed after results in the order of their games."""
    of_speed: defaultdict[Speed, list[SpeedResult]] = defaultdict(list)
    for result in results:
        of_speed[result.speed].append(result)
    return {speed: _counted_rating(of_speed[speed]) for speed in Speed if speed in of_speed}


def _counted_rating(results: Sequence[SpeedResult]) -> CountedRating:
    rated = Rated()
    for each in results:
        periods = rated.periods_until(each.at)
        rated = Rated(rate(rated.rating, [(each.rating, each.points)], periods=periods), each.at)
    return CountedRating(rated, len({each.opponent for each in results}), len(results))


def _latest(account_id: int, game: str) -> Select[Any]:
    """Return a query for the latest games that counted, the earliest of them first."""
    own = (
        select(RatingChange.game_id, RatingChange.changed_at)
        .where(RatingChange.account_id == account_id, RatingChange.game == game, RatingChange.counted)
        .order_by(RatingChange.changed_at.desc())
        .limit(MOST_GAMES)
        .subquery()
    )
    other = aliased(RatingChange)
    return (
        select(
            Game.id,
            Game.time_control,
            Game.winner_seat,
            (Game.first_player == account_id).label("was_first"),
            other.account_id,
            other.before,
            other.deviation,
            own.c.changed_at,
        )
        .join_from(own, Game, Game.id == own.c.game_id)
        .join(other, and_(other.game_id == Game.id, other.account_id != account_id))
        .order_by(own.c.changed_at)
    )


def _result(row: Row[Any]) -> SpeedResult:
    points = points_of(0 if row.was_first else 1, row.winner_seat)
    rating = Rating(row.before, row.deviation)
    speed = speed_of(control_from_dict(row.time_control))
    return SpeedResult(speed, row.account_id, rating, points, row.changed_at)
