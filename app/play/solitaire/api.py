"""Solitaire games and races for programs."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field
from starlette.responses import Response

from app.core.web.bodies import RequestBody
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.registered import GameKey, Options, one_of
from app.core.web.routes import Router
from app.core.web.shown import GameId
from app.people.identity.throttled import ChallengingProgram, SteppingProgram
from app.play.games.api import answer
from app.play.games.schemas import Snapshot
from app.play.games.service import Games
from app.play.solitaire.races import MINUTES, RaceShown
from app.play.solitaire.service import Races, Solitaire


class NewGame(RequestBody):
    """A solitaire game to start."""

    game: Annotated[GameKey, Field(examples=["up_and_up"])]
    options: Annotated[Options, Field(default_factory=dict)]


class RaceRequest(NewGame):
    """A race to make, which lasts a number of minutes: from now on, or from when its maker starts it."""

    minutes: Annotated[int, one_of(*MINUTES)]
    starts: Literal["now", "later"] = "now"


class RaceGame(BaseModel):
    """The player's game in a race; null before its start."""

    game_id: GameId | None


class StartForm(BaseModel):
    """A game to start; without a size, on the usual board."""

    game: Annotated[str, Field(max_length=32)]
    size: int | None = None

    @property
    def options(self) -> dict[str, int]:
        """Return the options of the game that the form sets."""
        return {} if self.size is None else {"size": self.size}


class RaceForm(StartForm):
    """A race to make."""

    minutes: int = 10


router = Router(prefix="/api/v1")


@router.post("/games", status_code=201, response_model=Snapshot, responses=problems(409), tags=["games"])
async def create_game(
    body: NewGame, program: ChallengingProgram, solitaire: Part[Solitaire], games: Part[Games]
) -> Response:
    """Start a solitaire game. Games for two start with a challenge."""
    state = await games.get(await solitaire.start(program, body.game, body.options))
    return answer(state, 201)


@router.get("/races", tags=["races"])
async def list_races(races: Part[Races]) -> list[RaceShown]:
    """Return the races that can be joined, those that end first at the top."""
    return await races.under_way()


@router.post("/races", status_code=201, responses=problems(409), tags=["races"])
async def make_race(body: RaceRequest, program: ChallengingProgram, races: Part[Races]) -> RaceShown:
    """Make a race and take part in it."""
    make = races.make if body.starts == "now" else races.announce
    return await make(program, body.game, body.options, body.minutes)


@router.get("/races/{race_id:id}", tags=["races"])
async def get_race(race_id: str, races: Part[Races]) -> RaceShown:
    """Return a race with its players in the order of their ranks."""
    return await races.get(race_id)


@router.post("/races/{race_id:id}/start", responses=problems(409), tags=["races"])
async def start(race_id: str, program: SteppingProgram, races: Part[Races]) -> RaceShown:
    """Start a race of your own that waits for it: the games of all who have joined begin."""
    return await races.start(race_id, program)


@router.post("/races/{race_id:id}/join", responses=problems(409), tags=["races"])
async def join(race_id: str, program: SteppingProgram, races: Part[Races]) -> RaceGame:
    """Join a race; a player who has joined already gets the same game again."""
    return RaceGame(game_id=await races.join(race_id, program))


@router.post("/races/{race_id:id}/leave", status_code=204, responses=problems(409), tags=["races"])
async def leave(race_id: str, program: SteppingProgram, races: Part[Races]) -> None:
    """Leave a race that waits for its start; one of your own is given up."""
    await races.leave(race_id, program)
