"""Ladders for programs."""

from fastapi import APIRouter

from app.compete.ladders import schemas
from app.compete.ladders.queries import LadderChallengeShown
from app.compete.ladders.service import Ladders, OwnLadderPlace
from app.core.errors import NotFoundError
from app.core.web.deps import Part
from app.core.web.params import Before, PageDep
from app.core.web.problems import problems
from app.people.identity.service import Identity
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.people.identity.viewer import KnownProgram

router = APIRouter(prefix="/api/v1", tags=["ladders"])

_CHALLENGE = "/ladders/{game:game}/challenges/{challenge_id:id}"
_REFUSALS = problems(401, 403, 404, 409, 429)
_CHANGES = 50


@router.get("/ladders", responses=problems())
async def list_ladders(ladders: Part[Ladders]) -> schemas.LadderList:
    """Return the ladders of all games for two, with their terms."""
    sizes = await ladders.sizes()
    return schemas.LadderList(ladders=[schemas.LadderShown.of(*each) for each in sizes.items()])


@router.get("/ladders/{game:game}", responses=problems(404))
async def read_ladder(game: str, ladders: Part[Ladders], page: PageDep) -> schemas.LadderTable:
    """Return a page of the ladder of a game from the top."""
    return schemas.LadderTable.of(await ladders.table(game, *page))


@router.get("/ladders/{game:game}/me", responses=problems(401, 404))
async def own_place(game: str, program: KnownProgram, ladders: Part[Ladders]) -> OwnLadderPlace:
    """Return the place of the token's account, its challenges, and whom it may challenge."""
    return await _own(ladders, game, program)


@router.get("/ladders/{game:game}/changes", responses=problems(404))
async def read_changes(game: str, ladders: Part[Ladders], before: Before = None) -> schemas.LadderChanges:
    """Return what happened on a ladder, the latest first."""
    latest, has_more = await ladders.changes(game, before, _CHANGES)
    return schemas.LadderChanges(changes=latest, older=latest[-1].id if latest and has_more else None)


@router.post("/ladders/{game:game}/join", responses=_REFUSALS)
async def join(game: str, program: ChallengingProgram, ladders: Part[Ladders]) -> OwnLadderPlace:
    """Join the ladder of a game at the bottom."""
    await ladders.join(game, program)
    return await _own(ladders, game, program)


@router.post("/ladders/{game:game}/leave", status_code=204, responses=_REFUSALS)
async def leave(game: str, program: ChallengingProgram, ladders: Part[Ladders]) -> None:
    """Leave a ladder. The challenge that waits for you is forfeited, yours is withdrawn."""
    await ladders.leave(game, program)


@router.post("/ladders/{game:game}/challenges", status_code=201, responses=_REFUSALS)
async def challenge(
    game: str, body: schemas.LadderChallengeRequest, program: ChallengingProgram, ladders: Part[Ladders]
) -> LadderChallengeShown:
    """Challenge a player above you; if it is not possible, `reason` says why."""
    return await ladders.challenge(game, program, body.opponent)


@router.post(_CHALLENGE + "/accept", responses=_REFUSALS)
async def accept(
    game: str, challenge_id: str, program: SteppingProgram, ladders: Part[Ladders]
) -> schemas.LadderGame:
    """Accept a challenge to you: the game begins."""
    return schemas.LadderGame(game_id=await ladders.accept(game, challenge_id, program))


@router.post(_CHALLENGE + "/decline", responses=_REFUSALS)
async def decline(
    game: str, challenge_id: str, program: SteppingProgram, ladders: Part[Ladders]
) -> LadderChallengeShown:
    """Decline a challenge to you: the challenger takes your place without a game."""
    return await ladders.give_way(game, challenge_id, program)


@router.post(_CHALLENGE + "/withdraw", responses=_REFUSALS)
async def withdraw(
    game: str, challenge_id: str, program: SteppingProgram, ladders: Part[Ladders]
) -> LadderChallengeShown:
    """Withdraw a challenge of yours that has not been accepted."""
    return await ladders.withdraw(game, challenge_id, program)


async def _own(ladders: Ladders, game: str, program: Identity) -> OwnLadderPlace:
    own = await ladders.own(game, program)
    if own is None:
        raise NotFoundError("player")
    return own
