"""Reports and moderation for programs."""

from fastapi import APIRouter

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.people.identity.viewer import KnownProgram, PlayingProgram
from app.site.moderation import schemas
from app.site.moderation.kinds import ModeratorAction, Order, Reason
from app.site.moderation.queries import DecisionShown
from app.site.moderation.service import Moderation

router = APIRouter(prefix="/api/v1", tags=["moderation"])


@router.post("/reports", status_code=201, responses=problems(401, 403, 404, 409, 429))
async def report(
    body: schemas.ReportRequest, program: PlayingProgram, moderation: Part[Moderation]
) -> schemas.ReportMade:
    """Report a player to the moderators. The same report twice is one."""
    reason = Reason(body.reason)
    return schemas.ReportMade(
        id=await moderation.report(program, body.username, body.place, reason, body.text)
    )


@router.get("/moderation/reports", responses=problems(401, 403))
async def open_reports(program: KnownProgram, moderation: Part[Moderation]) -> schemas.ReportList:
    """Return the open reports; for moderators only."""
    return schemas.ReportList(reports=await moderation.queue(program))


@router.post("/moderation/actions", status_code=201, responses=problems(401, 403, 404, 409))
async def act(
    body: schemas.ActionRequest, program: PlayingProgram, moderation: Part[Moderation]
) -> schemas.ActionDone:
    """Do something about a player, who reads the reason; this closes the open reports about them."""
    reports = None if body.reports is None else frozenset(body.reports)
    action = ModeratorAction(body.action)
    order = Order(action, body.reason, body.days, body.subject, body.new_name, reports)
    return schemas.ActionDone(id=await moderation.act(program, body.username, order))


@router.get("/me/moderation", responses=problems(401))
async def decisions(program: KnownProgram, moderation: Part[Moderation]) -> list[DecisionShown]:
    """Return what moderators decided about the account, the latest first."""
    return await moderation.decisions(program.id)


@router.post(
    "/me/moderation/{action_id:serial}/answer", status_code=204, responses=problems(401, 403, 404, 409, 429)
)
async def answer(
    action_id: int, body: schemas.AnswerRequest, program: PlayingProgram, moderation: Part[Moderation]
) -> None:
    """Answer a moderator's decision, once."""
    await moderation.answer(program.id, action_id, body.text)
