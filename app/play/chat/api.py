"""Chat for programs."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.core.web.deps import Part
from app.core.web.problems import problems
from app.core.web.throttle import Limit, Throttle
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, PlayingProgram, Program
from app.play.chat import schemas
from app.play.chat.rooms import Room
from app.play.chat.service import Chat

router = APIRouter(prefix="/api/v1", tags=["games"])


@router.get("/games/{game_id:id}/chat", responses=problems(401, 403, 404), openapi_extra=TOKEN_IS_OPTIONAL)
async def read(
    game_id: str, program: Program, chat: Part[Chat], room: Annotated[schemas.RoomName, Query()]
) -> schemas.Messages:
    """Return the last messages of a room. During a game, players and spectators see only their own room."""
    return schemas.Messages.of(await chat.read(program, game_id, Room(room)))


@router.post("/games/{game_id:id}/chat", status_code=201, responses=problems(401, 403, 404, 409, 429))
async def say(
    game_id: str,
    body: schemas.SayRequest,
    program: PlayingProgram,
    chat: Part[Chat],
    throttle: Part[Throttle],
) -> schemas.Said:
    """Post a message in a room. New accounts can send greetings only."""
    await throttle.hit(Limit.CHAT, f"account:{program.id}")
    return schemas.Said.of(await chat.say(program, game_id, Room(body.room), body.words))
