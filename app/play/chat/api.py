"""Chat and notes for programs."""

from typing import Annotated

from fastapi import Query

from app.core.merging import check_seen
from app.core.web.deps import Part, ReceivedAt
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.shown import Unchecked
from app.core.web.throttle import Limit, Throttle
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import TOKEN_IS_OPTIONAL, KnownProgram, PlayingProgram, Program
from app.play.chat import schemas
from app.play.chat.notes import Notes
from app.play.chat.rooms import Room
from app.play.chat.schemas import Note, NoteRequest
from app.play.chat.service import Chat

router = Router(prefix="/api/v1", tags=["games"])


@router.get("/games/{game_id:id}/chat", responses=problems(403), openapi_extra=TOKEN_IS_OPTIONAL)
async def read(
    game_id: str, program: Program, chat: Part[Chat], room: Annotated[schemas.RoomName, Query()]
) -> schemas.Messages:
    """Return the last messages of a room. During a game, players and spectators see only their own room."""
    return schemas.Messages.of(await chat.read(program, game_id, Room(room)))


@router.post("/games/{game_id:id}/chat", status_code=201, responses=problems(409))
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


@router.get("/games/{game_id:id}/note", responses=problems(403))
async def note(
    game_id: str, program: KnownProgram, notes: Part[Notes], received_at: ReceivedAt
) -> Unchecked[Note]:
    """Return your note about a game that you play or played. Nobody else sees it."""
    return Note.model_construct(text=await notes.read(game_id, program.id, at=received_at))


@router.put("/games/{game_id:id}/note", responses=problems(409))
async def write_note(
    game_id: str, body: NoteRequest, program: SteppingProgram, notes: Part[Notes], received_at: ReceivedAt
) -> Unchecked[Note]:
    """Replace your note about a game; an empty text deletes it.

    With `seen`, it is replaced only if it is still the text that you have seen.
    """

    def change(stored: str) -> str:
        if stored != body.text:  # as when the same is sent again
            check_seen(stored, body.seen)
        return body.text

    await notes.change(game_id, program.id, change, at=received_at)
    return Note.model_construct(text=body.text)
