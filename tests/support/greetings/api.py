"""Greetings for programs."""

from typing import Annotated

from pydantic import ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.core.web.deps import Part
from app.core.web.plain_text import Cleaned, lines
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.people.identity.throttled import SteppingProgram
from tests.support.greetings.service import Greetings


class GreetingRequest(RequestBody):
    """What a player says to everybody."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "Good evening!"}]})

    text: Annotated[str, Field(min_length=1, max_length=200), Cleaned(lines)]


router = Router(prefix="/api/v1", tags=["players"])


@router.post("/greetings", status_code=204, responses=problems(401, 403, 429))
async def leave(body: GreetingRequest, program: SteppingProgram, greetings: Part[Greetings]) -> None:
    """Leave a greeting for everybody."""
    await greetings.leave(program, body.text)
