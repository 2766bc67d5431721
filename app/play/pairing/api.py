"""Searches for programs."""

from fastapi import APIRouter

from app.core.errors import NotFoundError
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.play.pairing.schemas import SearchRequest, SearchShown
from app.play.pairing.service import Pairing

router = APIRouter(prefix="/api/v1", tags=["challenges"])


@router.put("/me/search", responses=problems(401, 403, 409, 429))
async def search(body: SearchRequest, program: ChallengingProgram, pairing: Part[Pairing]) -> SearchShown:
    """Look for anybody who fits any of several games, instead of what you looked for before.

    It ends with the next game that you begin, or a minute later: send the same again to go on.
    """
    return SearchShown.of(await pairing.search(program, body.terms))


@router.get("/me/search", responses=problems(401, 404))
async def own_search(program: KnownProgram, pairing: Part[Pairing]) -> SearchShown:
    """Return what you look for, or looked for last, with the game that began since."""
    if (search := await pairing.own(program.id)) is None:
        raise NotFoundError("search")
    return SearchShown.of(search)


@router.delete("/me/search", status_code=204, responses=problems(401, 403, 429))
async def end_search(program: SteppingProgram, pairing: Part[Pairing]) -> None:
    """End your search."""
    await pairing.cancel(program.id)
