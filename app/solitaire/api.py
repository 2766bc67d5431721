"""Races for programs. A solitaire game starts with POST /games."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from app.events import RaceChanged
from app.identity.viewer import PlayingProgram
from app.solitaire import races
from app.solitaire.races import RaceInfo
from app.web.deps import BusDep, DatabaseDep, ThrottleDep
from app.web.problems import problems
from app.web.throttle import Limit

router = APIRouter(tags=["races"])

_RACER: dict[str, Any] = {
    "rank": 1,
    "username": "wren",
    "game_id": "x3p8mk2rtz",
    "points": 41,
    "tie_break": 7,
    "ply": 41,
    "is_done": False,
}
_RACE: dict[str, Any] = {
    "id": "k7m2wq9xab",
    "game": "up_and_up",
    "options": {"size": 8},
    "maker": "wren",
    "ends_at": "2026-01-01T12:10:00Z",
    "is_over": False,
    "racers": [_RACER],
}


class RaceRequest(BaseModel):
    """A race to make; it begins at once and lasts so many minutes."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"game": "up_and_up", "options": {"size": 8}, "minutes": 10}]},
    )

    game: Annotated[str, Field(max_length=32)]
    options: dict[str, int] = {}
    minutes: int


class RacerShown(BaseModel):
    """One player of a race; the fewer of what breaks ties, the better."""

    model_config = ConfigDict(json_schema_extra={"examples": [_RACER]}, from_attributes=True)

    rank: int
    username: str
    game_id: str
    points: int
    tie_break: int
    ply: int
    is_done: bool


class RaceShown(BaseModel):
    """A race as it stands, the best first."""

    model_config = ConfigDict(json_schema_extra={"examples": [_RACE]}, from_attributes=True)

    id: str
    game: str
    options: dict[str, int]
    maker: str
    ends_at: datetime
    is_over: bool
    racers: list[RacerShown]


class Joined(BaseModel):
    """The game that one plays in a race."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"game_id": "x3p8mk2rtz"}]})

    game_id: str


def _shown(race: RaceInfo) -> RaceShown:
    return RaceShown.model_validate(race)


@router.get("/races", responses=problems())
async def under_way(database: DatabaseDep) -> list[RaceShown]:
    """List the races that can be joined, those that end first at the top."""
    async with database.transaction() as session:
        return [_shown(race) for race in await races.under_way(session)]


@router.post("/races", status_code=201, responses=problems(401, 403, 409, 429))
async def make(
    body: RaceRequest, program: PlayingProgram, database: DatabaseDep, throttle: ThrottleDep
) -> RaceShown:
    """Make a race and take part in it."""
    await throttle.hit(Limit.CHALLENGE, f"account:{program.id}")
    async with database.transaction() as session:
        race_id = await races.make(session, program, body.game, body.options, body.minutes)
        return _shown(await races.get(session, race_id))


@router.get("/races/{race_id:id}", responses=problems(404))
async def race(race_id: str, database: DatabaseDep) -> RaceShown:
    """Give a race as it stands."""
    async with database.transaction() as session:
        return _shown(await races.get(session, race_id))


@router.post("/races/{race_id:id}/join", responses=problems(401, 403, 404, 409, 429))
async def join(
    race_id: str, program: PlayingProgram, database: DatabaseDep, throttle: ThrottleDep, bus: BusDep
) -> Joined:
    """Join a race; whoever has joined already gets the same game again."""
    await throttle.hit(Limit.STEP, f"account:{program.id}")
    async with database.transaction() as session:
        game_id = await races.join(session, race_id, program)
    bus.publish(RaceChanged(race_id))
    return Joined(game_id=game_id)
