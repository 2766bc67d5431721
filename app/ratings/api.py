"""The leaderboards of the games for two, for programs."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from app.accounts.viewer import KnownProgram
from app.errors import NotFoundError
from app.ratings import leaderboard, service
from app.web.deps import DatabaseDep
from app.web.problems import problems
from engine.registry import GAMES

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


class OwnRating(BaseModel):
    """A rating of the account that a token speaks for."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"rating": 1712, "deviation": 64, "provisional": False, "games": 48}]}
    )

    rating: int
    deviation: int
    provisional: bool
    games: int


class Me(BaseModel):
    """The account that a token speaks for, with its ratings by game."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"username": "wren", "is_guest": False, "ratings": {}}]}
    )

    username: str
    is_guest: bool
    ratings: dict[str, OwnRating]


@router.get("/me", responses=problems(401))
async def me(program: KnownProgram, database: DatabaseDep) -> Me:
    """Tell which account the token speaks for, and its ratings."""
    async with database.transaction() as session:
        found = await service.of_account(session, program.id)
    ratings = {
        game: OwnRating(
            rating=round(rating.rating),
            deviation=round(rating.deviation),
            provisional=rating.is_provisional,
            games=games,
        )
        for game, (rating, games) in found.items()
    }
    return Me(username=program.username, is_guest=program.is_guest, ratings=ratings)


@router.get("/leaderboards/{game}", responses=problems(404))
async def rating_leaderboard(
    game: str,
    database: DatabaseDep,
    cursor: Annotated[str, Query(max_length=64)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> RatedPlayers:
    """List the settled ratings at a game for two, the highest first."""
    if game not in GAMES or len(GAMES[game].sides) != 2:
        raise NotFoundError("leaderboard")
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
