"""The forms of the chat beside a game, and a player's note."""

from typing import Annotated, Any

from fastapi import Form
from pydantic import AfterValidator
from starlette.responses import HTMLResponse, Response

from app.core.web.deps import Part, ReceivedAt
from app.core.web.forms import SubmissionDep
from app.core.web.plain_text import lines
from app.core.web.redirects import go
from app.core.web.render import fragment, page, wants_htmx, wants_partial
from app.core.web.throttle import Limit, Throttle
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignedIn
from app.play.chat.notes import MOST_NOTE_CHARACTERS, Notes
from app.play.chat.rooms import Room
from app.play.chat.schemas import SayRequest
from app.play.chat.service import Chat

router = page_router()


@router.post("/games/{game_id:id}/chat")
async def say(
    game_id: str, viewer: SignedIn, chat: Part[Chat], throttle: Part[Throttle], submission: SubmissionDep
) -> Response:
    """Post a message; htmx stays on the page, whose live connection shows it."""
    await throttle.hit(Limit.CHAT, f"account:{viewer.id}")
    form = submission.parse(SayRequest)
    await chat.say(viewer, game_id, Room(form.room), form.words)
    return Response(status_code=204) if wants_htmx() else go(f"/games/{game_id}#chat")


@router.get("/games/{game_id:id}/note")
async def note(game_id: str, viewer: SignedIn, notes: Part[Notes], received_at: ReceivedAt) -> Response:
    """Show the viewer's note about a game."""
    text = await notes.read(game_id, viewer.id, at=received_at)
    shown: dict[str, Any] = {"game_path": f"/games/{game_id}", "text": text, "most": MOST_NOTE_CHARACTERS}
    if wants_partial():
        return HTMLResponse(fragment("partials/note.html", **shown))
    return page("pages/note.html", **shown)


@router.post("/games/{game_id:id}/note")
async def write(
    game_id: str,
    viewer: Stepping,
    notes: Part[Notes],
    received_at: ReceivedAt,
    text: Annotated[str, Form(max_length=2 * MOST_NOTE_CHARACTERS), AfterValidator(lines)] = "",
) -> Response:
    """Save the viewer's note, and return to the game."""
    await notes.write(game_id, viewer.id, text, at=received_at)
    return go(f"/games/{game_id}")
