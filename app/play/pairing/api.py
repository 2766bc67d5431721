"""Searches for programs."""

from app.core.errors import NotFoundError
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, KnownProgram, Program
from app.play.lobby.schemas import GameStarted
from app.play.lobby.service import Lobby
from app.play.pairing.schemas import AcceptedGame, SearchListed, SearchRequest, SearchShown
from app.play.pairing.service import Pairing

router = Router(prefix="/api/v1", tags=["challenges"])


@router.put("/me/search", responses=problems(409))
async def search(body: SearchRequest, program: ChallengingProgram, pairing: Part[Pairing]) -> SearchShown:
    """Look for anybody who fits any of several games, instead of what you looked for before.

    It ends with the next game that you begin, or a minute later: send the same again to go on. If a game for
    two has begun meanwhile and is under way, that is the answer.
    """
    return SearchShown.of(await pairing.search(program, body.terms))


@router.get("/me/search", responses=problems(404))
async def own_search(program: KnownProgram, pairing: Part[Pairing]) -> SearchShown:
    """Return what you look for, or looked for last, with the game that began since."""
    if (search := await pairing.own(program.id)) is None:
        raise NotFoundError("search")
    return SearchShown.of(search)


@router.delete("/me/search", status_code=204)
async def end_search(program: SteppingProgram, pairing: Part[Pairing]) -> None:
    """End your search."""
    await pairing.cancel(program.id)


@router.get("/searches", openapi_extra=TOKEN_IS_OPTIONAL)
async def list_searches(program: Program, lobby: Part[Lobby], pairing: Part[Pairing]) -> list[SearchListed]:
    """List who looks for any of several games, as the lobby does: those who have waited longest first."""
    blocked = await lobby.blocked(program.id) if program else ()
    return [SearchListed.of(each) for each in await pairing.listing() if each.player.id not in blocked]


@router.post("/searches/{username}/accept", responses=problems(409))
async def accept_search(
    username: str, body: AcceptedGame, program: SteppingProgram, pairing: Part[Pairing]
) -> GameStarted:
    """Play somebody who looks for an opponent, at one of the games that they want."""
    return GameStarted(game_id=await pairing.meet(program, username, body.terms, body.rated))
