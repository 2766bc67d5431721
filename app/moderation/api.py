"""Reports for programs."""

from fastapi import APIRouter

from app.identity.viewer import PlayingProgram
from app.moderation.deps import ModerationDep
from app.moderation.reasons import Reason
from app.moderation.schemas import ReportMade, ReportRequest
from app.web.problems import problems

router = APIRouter(tags=["moderation"])


@router.post("/reports", status_code=201, responses=problems(401, 403, 404, 409, 429))
async def report(body: ReportRequest, program: PlayingProgram, moderation: ModerationDep) -> ReportMade:
    """Report a player to the moderators. The same report twice is one."""
    reason = Reason(body.reason)
    return ReportMade(id=await moderation.report(program, body.username, body.place, reason, body.text))
