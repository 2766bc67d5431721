"""Achievements for programs."""

from fastapi import APIRouter

from app.core.web.problems import problems
from app.site.awards.deps import AwardsDep
from app.site.awards.schemas import AwardList

router = APIRouter(prefix="/api/v1", tags=["players"])


@router.get("/players/{username}/achievements", responses=problems(404))
async def achievements(username: str, awards: AwardsDep) -> AwardList:
    """Return what a player has achieved, each with the first game or entry that proves it."""
    return AwardList(achievements=await awards.of_player(username))
