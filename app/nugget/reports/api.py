"""Final reports for programs: how the players of a competition found what they entered."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import Request, Response
from pydantic import Field

from app.core.web.bodies import RequestBody
from app.core.web.deps import Part
from app.core.web.params import PageDep, rows_and_link
from app.core.web.plain_text import Cleaned, lines
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.nugget.competitions import Competitions
from app.nugget.reports.service import MethodShown, Reports
from app.people.identity.throttled import SteppingProgram


class MethodText(RequestBody):
    """How you found what you entered. An empty text removes what was there."""

    text: Annotated[
        str,
        Field(max_length=5_000, examples=["A beam search of 5,000 positions."]),
        Cleaned(lines),
    ] = ""


router = Router(prefix="/api/v1", tags=["golden nugget"])

_PATH = "/nugget/competitions/{competition_id:competition}"


@router.get(f"{_PATH}/methods", responses=problems(409))
async def methods(
    request: Request,
    response: Response,
    competition_id: str,
    competitions: Part[Competitions],
    reports: Part[Reports],
    page: PageDep,
) -> Sequence[MethodShown]:
    """List the players' descriptions of their methods, the first to write first.

    The header `Link` has the address of the next page as `rel="next"` (RFC 8288). 409 `competition_not_over`
    before the end.
    """
    competition = await competitions.get(competition_id)
    return rows_and_link(await reports.methods(competition, *page), request, response)


@router.put(f"{_PATH}/method", status_code=204, responses=problems(409))
async def describe(
    competition_id: str, body: MethodText, program: SteppingProgram, reports: Part[Reports]
) -> None:
    """Describe how you found what you entered, for the final report. An empty text removes it."""
    await reports.describe(competition_id, program.id, body.text)
