"""Greetings for programs."""

from fastapi import APIRouter

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.people.identity.throttled import SteppingProgram
from tests.support.greetings.schemas import GreetingRequest
from tests.support.greetings.service import Greetings

router = APIRouter(prefix="/api/v1", tags=["players"])


@router.post("/greetings", status_code=204, responses=problems(401, 403, 429))
async def leave(body: GreetingRequest, program: SteppingProgram, greetings: Part[Greetings]) -> None:
    """Leave a greeting for everybody."""
    await greetings.leave(program, body.text)
