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

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncSession

from app.core.database.unreadable import UnreadableError, read
from app.core.moments import utc_now
from app.play.ratings.counting import PlayersRating, Rated
from engine.clock import Speed, control_from_dict, speed_of
from engine.glicko2 import Rating, rate

MOST_GAMES = 300
"""The games at a kind of game that are looked at, the latest."""

_RESULTS = text("""
SELECT own.game_id, games.time_control, games.winner_seat, games.first_player = :account AS was_first,
       other.account_id AS opponent, other.before, other.deviation, own.changed_at
FROM (
    SELECT game_id, changed_at FROM rating_changes
    WHERE account_id = :account AND game = :game AND counted ORDER BY changed_at DESC LIMIT :most
) own
JOIN games ON games.id = own.game_id
JOIN rating_changes other ON other.game_id = own.game_id AND other.account_id <> :account
ORDER BY own.changed_at
""")

BySpeed = Mapping[Speed, tuple[PlayersRating, int]]
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
    rows = await session.execute(_RESULTS, {"account": account_id, "game": game, "most": MOST_GAMES})
    results = []
    for row in rows:
        with suppress(UnreadableError):
            results.append(read("games", row.game_id, _result, row))
    return by_speed(results, utc_now())


def by_speed(results: Iterable[SpeedResult], moment: datetime) -> BySpeed:
    """Return the ratings by speed that results, in the order of their games, give as of a moment."""
    of_speed: defaultdict[Speed, list[SpeedResult]] = defaultdict(list)
    for result in results:
        of_speed[result.speed].append(result)
    return {speed: _rating(of_speed[speed], moment) for speed in Speed if speed in of_speed}


def _rating(results: list[SpeedResult], moment: datetime) -> tuple[PlayersRating, int]:
    rated = Rated()
    for each in results:
        periods = rated.periods_until(each.at)
        rated = Rated(rate(rated.rating, [(each.rating, each.points)], periods=periods), each.at)
    now = rated.as_of(moment)
    opponents = len({each.opponent for each in results})
    return PlayersRating(now.rating, now.deviation, now.volatility, opponents), len(results)


def _result(row: Row[Any]) -> SpeedResult:
    seat = 0 if row.was_first else 1
    points = 0.5 if row.winner_seat is None else float(row.winner_seat == seat)
    rating = Rating(row.before, row.deviation)
    speed = speed_of(control_from_dict(row.time_control))
    return SpeedResult(speed, row.opponent, rating, points, row.changed_at)
