"""The forms of the chat beside a game, and a player's note."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pydantic import BaseModel
from starlette.responses import HTMLResponse, Response

from app.core.errors import AppError
from app.core.web.deps import Part, ReceivedAt
from app.core.web.forms import SubmissionDep, drawn_with
from app.core.web.redirects import stay_or_go
from app.core.web.render import fragment, page, wants_htmx, wants_partial
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignedIn
from app.play.chat import api
from app.play.chat.notes import MOST_NOTE_CHARACTERS, Notes
from app.play.chat.schemas import NoteText

router = page_router()


class NoteForm(BaseModel):
    """A private note about a game; an empty one deletes it."""

    text: NoteText = ""


@router.get("/games/{game_id:id}/note")
async def note(game_id: str, viewer: SignedIn, notes: Part[Notes], received_at: ReceivedAt) -> Response:
    """Show the viewer's note about a game."""
    shown = _shown(game_id, await notes.read(game_id, viewer.id, at=received_at))
    if wants_partial():
        return HTMLResponse(fragment("partials/note.html", **shown))
    return page("pages/note.html", **shown)


@router.post("/games/{game_id:id}/note")
async def write(
    game_id: str,
    viewer: Stepping,
    notes: Part[Notes],
    received_at: ReceivedAt,
    submission: SubmissionDep,
) -> Response:
    """Save the viewer's note, and return to the game; htmx stays where it is."""

    async def refused(failure: AppError) -> Response:
        if wants_htmx():
            raise failure
        return page("pages/note.html", failure=failure, **_form(game_id, {"text": "", **submission.values}))

    answer = await submission.change(
        partial(notes.change, game_id, viewer.id, at=received_at),
        _values_of,
        lambda sent: sent.parse(NoteForm).text,
        then=f"/games/{game_id}",
        refused=refused,
    )
    if not wants_htmx():
        return answer
    text = await notes.read(game_id, viewer.id, at=received_at)
    return HTMLResponse(fragment("partials/note_update.html", **_shown(game_id, text)))


def _values_of(text: str) -> Mapping[str, str]:
    return {"text": text}


def _shown(game_id: str, text: str) -> dict[str, Any]:
    return _form(game_id, drawn_with(_values_of(text)))


def _form(game_id: str, values: Mapping[str, str]) -> dict[str, Any]:
    return {"game_path": f"/games/{game_id}", "form_values": values, "most": MOST_NOTE_CHARACTERS}


router.form("/games/{game_id:id}/chat", api.say, then="/games/{game_id}#chat", answer=stay_or_go)
