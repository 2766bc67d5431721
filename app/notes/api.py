"""Private notes for programs."""

from fastapi import APIRouter

from app.identity.viewer import KnownProgram, PlayingProgram
from app.notes.deps import NotesDep
from app.notes.schemas import Note
from app.web.deps import ReceivedAt, ThrottleDep
from app.web.problems import problems
from app.web.throttle import Limit

router = APIRouter(tags=["games"])


@router.get("/games/{game_id:id}/note", responses=problems(401, 403, 404))
async def note(game_id: str, program: KnownProgram, notes: NotesDep, received_at: ReceivedAt) -> Note:
    """Return your note about a game that you play or played. Nobody else sees it."""
    return Note(text=await notes.read(game_id, program.id, at=received_at))


@router.put("/games/{game_id:id}/note", responses=problems(401, 403, 404, 429))
async def write_note(
    game_id: str,
    body: Note,
    program: PlayingProgram,
    notes: NotesDep,
    throttle: ThrottleDep,
    received_at: ReceivedAt,
) -> Note:
    """Replace your note about a game; an empty text deletes it."""
    await throttle.hit(Limit.STEP, f"account:{program.id}")
    await notes.write(game_id, program.id, body.text, at=received_at)
    return body
