"""Ratings for programs: those of the token's account."""

from fastapi import APIRouter

from app.identity.viewer import KnownProgram
from app.ratings import queries
from app.ratings.schemas import Me, OwnRating
from app.web.deps import DatabaseDep
from app.web.problems import problems

router = APIRouter(tags=["leaderboards"])


@router.get("/me", responses=problems(401))
async def me(program: KnownProgram, database: DatabaseDep) -> Me:
    """Return the token's account and its ratings."""
    async with database.transaction() as session:
        ratings = await queries.of_account(session, program.id)
    return Me(
        username=program.username,
        is_guest=program.is_guest,
        ratings={game: OwnRating.of(rating, games) for game, (rating, games) in ratings.items()},
    )
