"""The computer players for programs: who they are, hints, and what they make of a position."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from app.bots import thoughts
from app.errors import InvalidError
from app.games.creation import rules_of
from app.games.deps import GamesDep
from app.identity import service as accounts
from app.identity.viewer import PlayingProgram
from app.web.deps import DatabaseDep, QueueDep, ThrottleDep
from app.web.problems import problems
from app.web.throttle import Limit
from engine.game import MoveSyntaxError
from engine.registry import FOR_TWO

router = APIRouter(tags=["computers"])


class Computer(BaseModel):
    """A computer player. Challenge it by its name to a casual game, and it accepts at once."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"username": "Gorrion-4", "level": 4, "games": ["jadejack"]}]}
    )

    username: str
    level: int
    games: list[str]


class Hint(BaseModel):
    """A good move for the side to move."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"move": "e5"}]})

    move: str


class EvaluationRequest(BaseModel):
    """A position of a game for two to look at, as a position string."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"game": "jadejack", "position": "8/8/8/8/8/2b5/8/8 w 0"}]}
    )

    game: str = Field(max_length=32)
    position: str = Field(max_length=4_000)


class ThoughtShown(BaseModel):
    """A move, and by how many points its side would win by it as far as the computer sees."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"move": "f4", "points": -1.5}]})

    move: str
    points: float


class EvaluationShown(BaseModel):
    """What the computer makes of a position: the best moves first, and how many plies it looked ahead."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"side": "white", "depth": 7, "thoughts": [{"move": "f4", "points": -1.5}]}]
        }
    )

    side: str
    depth: int
    thoughts: list[ThoughtShown]


@router.get("/computers")
async def computers(database: DatabaseDep) -> list[Computer]:
    """List the computer players, the kindest first."""
    async with database.transaction() as session:
        found = await accounts.computers(session)
    return [
        Computer(username=one.username, level=one.computer_level, games=list(FOR_TWO))
        for one in found
        if one.computer_level is not None
    ]


@router.post("/games/{game_id:id}/hint", responses=problems(401, 403, 404, 409, 422, 429, 503))
async def hint(
    game_id: str, program: PlayingProgram, games: GamesDep, queue: QueueDep, throttle: ThrottleDep
) -> Hint:
    """Give a good move in a casual game against the computer, when it is one's turn."""
    await throttle.hit(Limit.COMPUTER, f"account:{program.id}")
    state = await games.seen_by(program, game_id)
    return Hint(move=await thoughts.hint(queue, state, program.id))


@router.post("/evaluations", responses=problems(401, 403, 422, 429, 503))
async def evaluate(
    body: EvaluationRequest, program: PlayingProgram, queue: QueueDep, throttle: ThrottleDep
) -> EvaluationShown:
    """Have the computer look at a position."""
    rules = rules_of(body.game, 2)
    try:
        position: Any = rules.parse(body.position)
    except MoveSyntaxError as error:
        raise InvalidError("bad_position", str(error)) from None
    await throttle.hit(Limit.COMPUTER, f"account:{program.id}")
    found = await thoughts.evaluate(queue, rules, position)
    shown = [ThoughtShown(move=one.move, points=one.points) for one in found.thoughts]
    return EvaluationShown(side=found.side, depth=found.depth, thoughts=shown)
