"""The computer players for programs: who they are, hints, and evaluations of positions."""

from typing import Annotated, Any

from fastapi import Request
from pydantic import BaseModel, Field

from app.core.errors import InvalidError
from app.core.i18n.text import reason_of
from app.core.web.bodies import RequestBody
from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.registered import GameKey
from app.core.web.routes import Router
from app.core.web.shown import Move, Position, Username, example
from app.core.web.throttle import Limit, Throttle
from app.people.identity.devices import Person
from app.people.identity.throttled import asker_of
from app.people.identity.viewer import PlayingProgram
from app.play.bots.service import Coach, Evaluations
from app.play.games.creation import rules_of
from app.play.games.service import Games
from engine.game import MAX_POSITION, MoveSyntaxError
from engine.registry import FOR_TWO
from engine.search.levels import strength_of


class Computer(BaseModel):
    """A computer player. It accepts a challenge to a casual game at once.

    Its strength at each game compares it with the other computer players, not with people.
    """

    username: Username
    level: int
    games: list[GameKey]
    strengths: dict[GameKey, int]


class Hint(BaseModel):
    """A good move for the side to move."""

    move: Move


class EvaluationRequest(RequestBody):
    """A position of a game for two, as a position string."""

    game: GameKey
    position: Position = Field(max_length=MAX_POSITION)


class ThoughtShown(BaseModel):
    """A move, the points by which its side should win with it (negative: lose), and the moves after it."""

    move: Move
    points: float
    line: list[Move]


class EvaluationShown(BaseModel):
    """The computer's best moves in a position, the best first, and how many plies it looked ahead."""

    side: Annotated[str, example("white")]
    depth: int
    thoughts: list[ThoughtShown]


router = Router(prefix="/api/v1", tags=["computers"])


@router.get("/computers")
async def computers(evaluations: Part[Evaluations]) -> list[Computer]:
    """List the computer players, the weakest first."""
    return [
        Computer(
            username=player.username,
            level=player.computer_level,
            games=list(FOR_TWO),
            strengths={
                game: strength
                for game in FOR_TWO
                if (strength := strength_of(game, player.computer_level)) is not None
            },
        )
        for player in await evaluations.computers()
        if player.computer_level is not None
    ]


@router.post("/games/{game_id:id}/hint", responses=problems(409))
async def hint(
    request: Request,
    game_id: str,
    program: PlayingProgram,
    games: Part[Games],
    evaluations: Part[Evaluations],
    throttle: Part[Throttle],
) -> Hint:
    """Return a good move in a casual game against the computer, if it is your turn."""
    await throttle.hit(Limit.COMPUTER, f"account:{program.id}")
    state = await games.seen_by(program, game_id)
    asker = asker_of(request, program.id)
    return Hint(move=await evaluations.hint(asker, Person(program.id), state, program.id))


@router.post("/games/{game_id:id}/coach", status_code=204, responses=problems(409))
async def accompany(game_id: str, program: PlayingProgram, games: Part[Games], coach: Part[Coach]) -> None:
    """Turn the coach on in a casual game against the computer.

    A move that loses much is then answered 409 `are_you_sure` with `loss` and `reply`, once at each ply.
    """
    await coach.accompany(await games.seen_by(program, game_id), program.id)


@router.post("/evaluations", responses=problems(409))
async def evaluate(
    request: Request,
    body: EvaluationRequest,
    program: PlayingProgram,
    evaluations: Part[Evaluations],
    throttle: Part[Throttle],
) -> EvaluationShown:
    """Return the computer's evaluation of a position.

    409 `game_under_way` in a rated game of yours, `puzzle_open` in one of the last 20
    puzzles that you were shown until you have tried it.
    """
    rules = rules_of(body.game, 2)
    try:
        position: Any = rules.parse(body.position)
    except MoveSyntaxError as error:
        raise InvalidError("bad_position", reason_of(error)) from None
    await throttle.hit(Limit.EVALUATE, f"account:{program.id}")
    choice = await evaluations.evaluate(asker_of(request, program.id), Person(program.id), rules, [position])
    return EvaluationShown(
        side=rules.side_to_move(position) or "",
        depth=choice.depth,
        thoughts=[
            ThoughtShown(move=evaluated.move, points=evaluated.points, line=list(evaluated.line))
            for evaluated in choice.ranking
        ],
    )
