"""Solitaire games and races for programs."""

from fastapi import APIRouter
from starlette.responses import Response

from app.core import json
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.play.games.schemas import Snapshot, snapshot
from app.play.games.service import Games
from app.play.solitaire.races import RaceShown
from app.play.solitaire.schemas import NewGame, RaceGame, RaceRequest
from app.play.solitaire.service import Races, Solitaire

router = APIRouter(prefix="/api/v1")


@router.post(
    "/games", status_code=201, response_model=Snapshot, responses=problems(401, 403, 429), tags=["games"]
)
async def create_game(
    body: NewGame, program: ChallengingProgram, solitaire: Part[Solitaire], games: Part[Games]
) -> Response:
    """Start a solitaire game. Games for two start with a challenge."""
    state = await games.get(await solitaire.start(program, body.game, body.options))
    return Response(json.encode(snapshot(state)), 201, media_type="application/json")


@router.get("/races", responses=problems(), tags=["races"])
async def list_races(races: Part[Races]) -> list[RaceShown]:
    """Return the races that can be joined, those that end first at the top."""
    return await races.under_way()


@router.post("/races", status_code=201, responses=problems(401, 403, 409, 429), tags=["races"])
async def make_race(body: RaceRequest, program: ChallengingProgram, races: Part[Races]) -> RaceShown:
    """Make a race and take part in it."""
    make = races.make if body.starts == "now" else races.announce
    return await make(program, body.game, body.options, body.minutes)


@router.get("/races/{race_id:id}", responses=problems(404), tags=["races"])
async def get_race(race_id: str, races: Part[Races]) -> RaceShown:
    """Return a race with its players in the order of their ranks."""
    return await races.get(race_id)


@router.post("/races/{race_id:id}/start", responses=problems(401, 403, 404, 409, 429), tags=["races"])
async def start(race_id: str, program: SteppingProgram, races: Part[Races]) -> RaceShown:
    """Start a race of your own that waits for it: the games of all who have joined begin."""
    return await races.start(race_id, program)


@router.post("/races/{race_id:id}/join", responses=problems(401, 403, 404, 409, 429), tags=["races"])
async def join(race_id: str, program: SteppingProgram, races: Part[Races]) -> RaceGame:
    """Join a race; a player who has joined already gets the same game again."""
    return RaceGame(game_id=await races.join(race_id, program))
