"""Ratings by speed: how well a player does in blitz, rapid and correspondence games.

They are not stored. The latest games give them whenever they are asked for, so that voided games and ratings
that are computed again need nothing more.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, and_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from app.core.database.unreadable import UnreadableError, read
from app.core.moments import utc_now
from app.play.games.models import Game
from app.play.ratings.counting import PlayersRating, Rated
from app.play.ratings.models import RatingChange
from engine.clock import control_from_dict
from engine.glicko2 import Rating, rate
from engine.speed import Speed, speed_of

MOST_GAMES = 300
"""The games at a kind of game that are looked at, the latest."""

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


async def of_account(session: AsyncSession, account_id: int, game: str) -> BySpeed:
    """Return an account's ratings by speed at a kind of game, as of now."""
    results = []
    for row in await session.execute(_latest(account_id, game)):
        with suppress(UnreadableError):
            results.append(read(Game.__tablename__, row.id, _result, row))
    return by_speed(results, utc_now())


def by_speed(results: Iterable[SpeedResult], at: datetime) -> BySpeed:
    """Return the ratings by speed that results, in the order of their games, give as of a moment."""
    of_speed: defaultdict[Speed, list[SpeedResult]] = defaultdict(list)
    for result in results:
        of_speed[result.speed].append(result)
    return {speed: _rating(of_speed[speed], at) for speed in Speed if speed in of_speed}


def _rating(results: list[SpeedResult], at: datetime) -> PlayersRating:
    rated = Rated()
    for each in results:
        periods = rated.periods_until(each.at)
        rated = Rated(rate(rated.rating, [(each.rating, each.points)], periods=periods), each.at)
    now = rated.as_of(at)
    opponents = len({each.opponent for each in results})
    return PlayersRating(now.rating, now.deviation, now.volatility, opponents, len(results))


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
    seat = 0 if row.was_first else 1
    points = 0.5 if row.winner_seat is None else float(row.winner_seat == seat)
    rating = Rating(row.before, row.deviation)
    speed = speed_of(control_from_dict(row.time_control))
    return SpeedResult(speed, row.account_id, rating, points, row.changed_at)
