"""Ratings for programs: those of the account that a token speaks for."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from app.identity.viewer import KnownProgram
from app.ratings import service
from app.web.deps import DatabaseDep
from app.web.problems import problems

router = APIRouter(tags=["leaderboards"])


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
