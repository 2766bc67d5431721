"""Leaderboards as the JSON API returns them."""

from datetime import datetime

from app.core.web.paging import RankedList
from app.core.web.shown import GameId, Shown, Username
from app.play.ratings.schemas import RoundedRating


class RatedPlayer(Shown):
    """One row of a leaderboard. A closed account whose results stay has no `username`."""

    rank: int | None
    username: Username | None
    rating: RoundedRating
    deviation: int
    games: int


class RatedPlayers(RankedList[RatedPlayer]):
    """A page of a leaderboard, and the cursor of the next one."""


class BestScore(Shown):
    """One row of a solitaire's leaderboard; among equal points the smaller `tie_break` is better.

    A closed account whose results stay has no `username`.
    """

    rank: int
    username: Username | None
    points: int
    tie_break: int
    undos: int
    submitted_at: datetime
    game_id: GameId


class BestScores(RankedList[BestScore]):
    """A page of the best scores, and the cursor of the next one."""

    size: int
