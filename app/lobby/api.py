"""Challenges for programs."""

from fastapi import APIRouter

from app.accounts.viewer import PlayingProgram, Program
from app.lobby import schemas, service
from app.web.deps import BusDep, DatabaseDep, ThrottleDep
from app.web.problems import problems
from app.web.throttle import Limit

router = APIRouter(tags=["challenges"])


@router.post("/challenges", status_code=201, responses=problems(401, 403, 409, 429))
async def make_challenge(
    body: schemas.ChallengeRequest,
    program: PlayingProgram,
    database: DatabaseDep,
    bus: BusDep,
    throttle: ThrottleDep,
) -> schemas.ChallengeMade:
    """Challenge somebody, anybody, or whoever follows the link."""
    await throttle.hit(Limit.CHALLENGE, f"account:{program.id}")
    async with database.transaction() as session:
        challenge_id = await service.make(
            session, program, body.game, body.options, body.kind, body.opponent, body.side
        )
        challenge = await service.get(session, challenge_id)
    service.announce(bus, challenge)
    return schemas.ChallengeMade(id=challenge.id, url=f"/challenges/{challenge.id}", status=challenge.status)


@router.get("/challenges", responses=problems(401))
async def challenges(program: Program, database: DatabaseDep) -> list[schemas.ChallengeShown]:
    """List the challenges of the lobby and, with a token, those to and from its account."""
    async with database.transaction() as session:
        found = await service.waiting(session, program.id if program else None)
    return [schemas.ChallengeShown.of(challenge) for challenge in found]


@router.get("/challenges/{challenge_id}", responses=problems(404))
async def challenge(challenge_id: str, database: DatabaseDep) -> schemas.ChallengeShown:
    """Give one challenge, with the game that it became once it is accepted."""
    async with database.transaction() as session:
        return schemas.ChallengeShown.of(await service.get(session, challenge_id))


@router.post("/challenges/{challenge_id}/accept", responses=problems(401, 403, 404, 409))
async def accept(
    challenge_id: str, program: PlayingProgram, database: DatabaseDep, bus: BusDep
) -> schemas.GameStarted:
    """Accept a challenge: the game starts."""
    async with database.transaction() as session:
        found = await service.get(session, challenge_id)
        game_id = await service.accept(session, found, program)
    service.announce(bus, found, game_id)
    return schemas.GameStarted(game_id=game_id)


@router.post("/challenges/{challenge_id}/decline", responses=problems(401, 403, 404, 409))
async def decline(
    challenge_id: str, program: PlayingProgram, database: DatabaseDep, bus: BusDep
) -> schemas.ChallengeShown:
    """Decline a challenge that is meant for the token's account."""
    async with database.transaction() as session:
        found = await service.get(session, challenge_id)
        await service.decline(session, found, program)
        after = await service.get(session, challenge_id)
    service.announce(bus, after)
    return schemas.ChallengeShown.of(after)


@router.post("/challenges/{challenge_id}/cancel", responses=problems(401, 403, 404, 409))
async def cancel(
    challenge_id: str, program: PlayingProgram, database: DatabaseDep, bus: BusDep
) -> schemas.ChallengeShown:
    """Take back a challenge of the token's account."""
    async with database.transaction() as session:
        found = await service.get(session, challenge_id)
        await service.cancel(session, found, program)
        after = await service.get(session, challenge_id)
    service.announce(bus, after)
    return schemas.ChallengeShown.of(after)
