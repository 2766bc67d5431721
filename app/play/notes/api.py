"""Private notes for programs."""

from fastapi import APIRouter

from app.core.web.deps import Part, ReceivedAt
from app.core.web.problems import problems
from app.core.web.shown import Unchecked
from app.people.identity.throttled import SteppingProgram
from app.people.identity.viewer import KnownProgram
from app.play.notes.schemas import Note
from app.play.notes.service import Notes

router = APIRouter(prefix="/api/v1", tags=["games"])


@router.get("/games/{game_id:id}/note", responses=problems(401, 403, 404))
async def note(
    game_id: str, program: KnownProgram, notes: Part[Notes], received_at: ReceivedAt
) -> Unchecked[Note]:
    """Return your note about a game that you play or played. Nobody else sees it."""
    return Note.model_construct(text=await notes.read(game_id, program.id, at=received_at))


@router.put("/games/{game_id:id}/note", responses=problems(401, 403, 404, 429))
async def write_note(
    game_id: str, body: Note, program: SteppingProgram, notes: Part[Notes], received_at: ReceivedAt
) -> Unchecked[Note]:
    """Replace your note about a game; an empty text deletes it."""
    await notes.write(game_id, program.id, body.text, at=received_at)
    return body
