"""Achievements for programs."""

from fastapi import APIRouter

from app.awards.deps import AwardsDep
from app.awards.schemas import AwardList
from app.web.problems import problems

router = APIRouter(prefix="/api/v1", tags=["players"])


@router.get("/players/{username}/achievements", responses=problems(404))
async def achievements(username: str, awards: AwardsDep) -> AwardList:
    """Return what a player has achieved, each with the first game or entry that proves it."""
    return AwardList.of(await awards.of_player(username))
