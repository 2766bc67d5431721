"""Leaderboards as the JSON API returns them."""

from datetime import datetime
from typing import Self

from pydantic import BaseModel, ConfigDict

from app.core.database.ranking import RankedPage
from app.core.web.shown import GameId, NextCursor, Rating, Username
from app.play.ratings.leaderboard import RankedRating
from app.play.scores.queries import RankedScore


class RatedPlayer(BaseModel):
    """One row of a leaderboard. A closed account whose results stay has no `username`."""

    rank: int | None
    username: Username | None
    rating: Rating
    deviation: int
    games: int

    @classmethod
    def of(cls, row: RankedRating) -> Self:
        """Return a row of the ranking as the API shows it."""
        return cls(
            rank=row.rank,
            username=row.username,
            rating=round(row.rating.rating),
            deviation=round(row.rating.deviation),
            games=row.games,
        )


class RatedPlayers(BaseModel):
    """A page of a leaderboard, and the cursor of the next one."""

    rows: list[RatedPlayer]
    next: NextCursor | None

    @classmethod
    def of(cls, page: RankedPage[RankedRating]) -> Self:
        """Return a page of the ranking as the API shows it."""
        return cls(rows=[RatedPlayer.of(row) for row in page.rows], next=page.next)


class BestScore(BaseModel):
    """One row of a solitaire's leaderboard; among equal points the smaller `tie_break` is better.

    A closed account whose results stay has no `username`.
    """

    model_config = ConfigDict(from_attributes=True)

    rank: int
    username: Username | None
    points: int
    tie_break: int
    undos: int
    submitted_at: datetime
    game_id: GameId


class BestScores(BaseModel):
    """A page of the best scores, and the cursor of the next one."""

    size: int
    rows: list[BestScore]
    next: NextCursor | None

    @classmethod
    def of(cls, size: int, page: RankedPage[RankedScore]) -> Self:
        """Return a page of the ranking at a board size as the API shows it."""
        return cls(size=size, rows=[BestScore.model_validate(row) for row in page.rows], next=page.next)
