"""Leaderboards for programs: ratings of the games for two, best scores of the solitaires."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from app.database.session import Database
from app.errors import InvalidError
from app.ratings import leaderboard
from app.scores import queries as scores
from app.web.deps import DatabaseDep
from app.web.params import Cursor
from app.web.problems import problems
from engine.registry import FOR_TWO, SOLITAIRE

router = APIRouter(tags=["leaderboards"])


class RatedPlayer(BaseModel):
    """One row of a leaderboard."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"rank": 1, "username": "wren", "rating": 1712, "deviation": 64, "games": 48}]
        }
    )

    rank: int | None
    username: str
    rating: int
    deviation: int
    games: int


class RatedPlayers(BaseModel):
    """A page of a leaderboard, and the cursor of the next one."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"rows": [], "next": None}]})

    rows: list[RatedPlayer]
    next: str | None


class BestScore(BaseModel):
    """One row of a solitaire's leaderboard; of equal points the fewer of what breaks ties stand first."""

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
    username: str
    points: int
    tie_break: int
    undos: int
    submitted_at: datetime
    game_id: str


class BestScores(BaseModel):
    """A page of the best scores, and the cursor of the next one."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"size": 8, "rows": [], "next": None}]}, from_attributes=True
    )

    size: int
    rows: list[BestScore]
    next: str | None


@router.get("/leaderboards/{game:game}", responses=problems(404))
async def leaderboard_of(
    game: str,
    database: DatabaseDep,
    size: Annotated[int | None, Query(ge=1, le=99)] = None,
    cursor: Cursor = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> RatedPlayers | BestScores:
    """List the settled ratings at a game for two, or the best scores of a solitaire.

    A game that is both gives its ratings, and with a size the best scores of its solitaire. A solitaire
    without a size gives those of its usual board.
    """
    if game in FOR_TWO and (size is None or game not in SOLITAIRE):
        return await _ratings(database, game, cursor, limit)
    return await _scores(database, game, size, cursor, limit)


async def _ratings(database: Database, game: str, cursor: str, limit: int) -> RatedPlayers:
    async with database.transaction() as session:
        rows, following = await leaderboard.page(session, game, cursor, limit)
    return RatedPlayers(
        rows=[
            RatedPlayer(
                rank=row.rank,
                username=row.username,
                rating=round(row.rating.rating),
                deviation=round(row.rating.deviation),
                games=row.games,
            )
            for row in rows
        ],
        next=following,
    )


async def _scores(database: Database, game: str, size: int | None, cursor: str, limit: int) -> BestScores:
    sizes = SOLITAIRE[game].options["size"]
    chosen = sizes.default if size is None else size
    if not sizes.minimum <= chosen <= sizes.maximum:
        raise InvalidError("bad_options", f"The size is from {sizes.minimum} to {sizes.maximum}.")
    async with database.transaction() as session:
        found = await scores.page(session, game, chosen, cursor, limit)
    rows = [BestScore.model_validate(row) for row in found.rows]
    return BestScores(size=chosen, rows=rows, next=found.next)
