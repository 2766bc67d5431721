"""Achievements for programs."""

from fastapi import APIRouter

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.site.awards.schemas import AwardList
from app.site.awards.service import Awards

router = APIRouter(prefix="/api/v1", tags=["players"])


@router.get("/players/{username}/achievements", responses=problems(404))
async def achievements(username: str, awards: Part[Awards]) -> AwardList:
    """Return what a player has achieved, each with the first game or entry that proves it."""
    return AwardList(achievements=await awards.of_player(username))
