"""Leaderboards as the JSON API returns them."""

from datetime import datetime
from typing import Self

from pydantic import BaseModel, ConfigDict

from app.core.database.ranking import RankedPage
from app.play.ratings.leaderboard import RankedRating
from app.play.scores.queries import RankedScore


class RatedPlayer(BaseModel):
    """One row of a leaderboard. A closed account whose results stay has no `username`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"rank": 1, "username": "wren", "rating": 1712, "deviation": 64, "games": 48}]
        }
    )

    rank: int | None
    username: str | None
    rating: int
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

    model_config = ConfigDict(json_schema_extra={"examples": [{"rows": [], "next": None}]})

    rows: list[RatedPlayer]
    next: str | None

    @classmethod
    def of(cls, page: RankedPage[RankedRating]) -> Self:
        """Return a page of the ranking as the API shows it."""
        return cls(rows=[RatedPlayer.of(row) for row in page.rows], next=page.next)


class BestScore(BaseModel):
    """One row of a solitaire's leaderboard; among equal points the smaller `tie_break` is better.

    A closed account whose results stay has no `username`.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "rank": 1,
                    "username": "wren",
                    "points": 64,
                    "tie_break": 12,
                    "undos": 3,
                    "submitted_at": "2026-01-01T12:00:00Z",
                    "game_id": "x3p8mk2rtz",
                }
            ]
        },
        from_attributes=True,
    )

    rank: int
    username: str | None
    points: int
    tie_break: int
    undos: int
    submitted_at: datetime
    game_id: str


class BestScores(BaseModel):
    """A page of the best scores, and the cursor of the next one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"size": 8, "rows": [], "next": None}]})

    size: int
    rows: list[BestScore]
    next: str | None

    @classmethod
    def of(cls, size: int, page: RankedPage[RankedScore]) -> Self:
        """Return a page of the ranking at a board size as the API shows it."""
        return cls(size=size, rows=[BestScore.model_validate(row) for row in page.rows], next=page.next)
