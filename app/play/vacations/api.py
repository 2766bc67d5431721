"""Vacations for programs."""

from fastapi import APIRouter

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.play.vacations.schemas import VacationRequest, VacationShown
from app.play.vacations.service import Vacations

router = APIRouter(prefix="/api/v1", tags=["accounts"])


@router.get("/me/vacation", responses=problems(401))
async def vacation(program: KnownProgram, vacations: Part[Vacations]) -> VacationShown:
    """Return your vacation, and how many days of it you have left."""
    return VacationShown.of(await vacations.allowance(program))


@router.post("/me/vacation", responses=problems(401, 403, 409, 429))
async def begin_vacation(
    body: VacationRequest, program: SteppingProgram, vacations: Part[Vacations]
) -> VacationShown:
    """Begin a vacation: your clocks stop in all correspondence games, also in those that begin meanwhile."""
    return VacationShown.of(await vacations.begin(program, body.days))


@router.delete("/me/vacation", responses=problems(401, 403, 429))
async def end_vacation(program: SteppingProgram, vacations: Part[Vacations]) -> VacationShown:
    """End your vacation early. What is left of it is kept, but for the first day."""
    return VacationShown.of(await vacations.end(program))
