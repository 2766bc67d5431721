"""Challenges for programs."""

from app.core.web.bodies import OptionalBody
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.people.identity.devices import Person
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, KnownProgram, Program
from app.play.games.service import Games
from app.play.lobby import schemas
from app.play.lobby.service import Lobby

router = Router(prefix="/api/v1", tags=["challenges"])


@router.post("/challenges", status_code=201, responses=problems(409))
async def make_challenge(
    body: schemas.ChallengeRequest, program: ChallengingProgram, lobby: Part[Lobby]
) -> schemas.ChallengeMade:
    """Challenge a player, anybody in the lobby, or anybody who has the link."""
    challenge = await lobby.make(program, body.terms, body.kind, body.opponent)
    return schemas.ChallengeMade(
        id=challenge.id, url=f"/challenges/{challenge.id}", status=challenge.status, game_id=challenge.game_id
    )


@router.post("/challenges/pair", responses=problems(409))
async def pair(
    body: schemas.PairingRequest, program: ChallengingProgram, lobby: Part[Lobby]
) -> schemas.Paired:
    """Accept the oldest open challenge with exactly these terms, or make one if there is none."""
    challenge, game_id = await lobby.pair(program, body.terms)
    return schemas.Paired(challenge_id=challenge.id, game_id=game_id)


@router.post("/games/{game_id:id}/play-on", status_code=201, responses=problems(409))
async def play_on(
    game_id: str,
    body: schemas.PlayOnRequest,
    program: ChallengingProgram,
    games: Part[Games],
    lobby: Part[Lobby],
) -> schemas.PlayedOn:
    """Start a casual game against the computer from a position of a finished game, as the side to move."""
    state = await games.seen_by(program, game_id)
    new_game_id = await lobby.play_on(program, Person(program.id), state, body.ply, body.level)
    return schemas.PlayedOn(game_id=new_game_id, url=f"/games/{new_game_id}")


@router.get("/challenges", openapi_extra=TOKEN_IS_OPTIONAL)
async def list_challenges(program: Program, lobby: Part[Lobby]) -> list[schemas.ChallengeShown]:
    """Return the challenges of the lobby and, with a token, those to and from its account."""
    concerning = await lobby.concerning(program.id) if program else []
    blocked = await lobby.blocked(program.id) if program else ()
    listed = [each for each in (await lobby.listing()).challenges if each.maker.id not in blocked]
    return [schemas.ChallengeShown.of(challenge) for challenge in [*concerning, *listed]]


@router.get("/me/following", tags=["players"])
async def following(program: KnownProgram, lobby: Part[Lobby]) -> schemas.Following:
    """List the players whom the token's account follows: who is online, and the games that they play."""
    return schemas.Following(players=await lobby.friends(program.id))


@router.get("/challenges/{challenge_id:id}", responses=problems(409))
async def get_challenge(challenge_id: str, lobby: Part[Lobby]) -> schemas.ChallengeShown:
    """Return a challenge, with the id of its game once it is accepted."""
    return schemas.ChallengeShown.of(await lobby.get(challenge_id))


@router.post("/challenges/{challenge_id:id}/accept", responses=problems(409))
async def accept(
    challenge_id: str,
    program: SteppingProgram,
    lobby: Part[Lobby],
    body: OptionalBody[schemas.AcceptRequest],
) -> schemas.GameStarted:
    """Accept a challenge: the game starts. You choose your `side` if that of the challenge is `choice`."""
    return schemas.GameStarted(game_id=await lobby.accept(challenge_id, program, body.side, body.rated))


@router.post("/challenges/{challenge_id:id}/decline", responses=problems(409))
async def decline(
    challenge_id: str,
    program: SteppingProgram,
    lobby: Part[Lobby],
    body: OptionalBody[schemas.DeclineRequest],
) -> schemas.ChallengeShown:
    """Decline a challenge to the token's account. Reasons: later, speed, board, rated, casual, no."""
    return schemas.ChallengeShown.of(await lobby.decline(challenge_id, program, body.reason))


@router.post("/challenges/{challenge_id:id}/cancel", responses=problems(409))
async def cancel(challenge_id: str, program: SteppingProgram, lobby: Part[Lobby]) -> schemas.ChallengeShown:
    """Cancel a challenge of the token's account."""
    return schemas.ChallengeShown.of(await lobby.cancel(challenge_id, program))


@router.post("/games/{game_id:id}/rematch", responses=problems(409))
async def rematch(game_id: str, program: ChallengingProgram, lobby: Part[Lobby]) -> schemas.Paired:
    """Offer the opponent of a finished game a rematch with the sides exchanged, or accept their offer."""
    challenge, rematch_id = await lobby.rematch(game_id, program, Person(program.id))
    return schemas.Paired(challenge_id=challenge.id, game_id=rematch_id)
