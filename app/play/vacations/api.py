"""Vacations for programs."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from app.core.moments import now, to_datetime
from app.core.web.bodies import RequestBody
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.play.vacations.decisions import MOST_DAYS, VacationAllowance
from app.play.vacations.service import Vacations

Days = Annotated[int, Field(ge=1, le=MOST_DAYS)]


class VacationRequest(RequestBody):
    """A vacation of some days, which begins now."""

    days: Days


class VacationShown(BaseModel):
    """When the present vacation ends (null: there is none), and the whole days that may still be taken."""

    until: datetime | None
    days_left: int

    @classmethod
    def of(cls, allowance: VacationAllowance) -> "VacationShown":
        """Return a vacation as the API shows it."""
        moment = now()
        until = allowance.until(moment)
        return cls(until=None if until is None else to_datetime(until), days_left=allowance.days_left(moment))


router = Router(prefix="/api/v1", tags=["accounts"])


@router.get("/me/vacation")
async def vacation(program: KnownProgram, vacations: Part[Vacations]) -> VacationShown:
    """Return your vacation, and how many days of it you have left."""
    return VacationShown.of(await vacations.allowance(program.id))


@router.post("/me/vacation", responses=problems(409))
async def begin_vacation(
    body: VacationRequest, program: SteppingProgram, vacations: Part[Vacations]
) -> VacationShown:
    """Begin a vacation: your clocks stop in all correspondence games, also in those that begin meanwhile."""
    return VacationShown.of(await vacations.begin(program, body.days))


@router.delete("/me/vacation")
async def end_vacation(program: SteppingProgram, vacations: Part[Vacations]) -> VacationShown:
    """End your vacation early. What is left of it is kept, but for the first day."""
    return VacationShown.of(await vacations.end(program))
