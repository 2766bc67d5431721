"""What the forms of the chat beside a game send."""

from starlette.responses import Response

from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.redirects import go
from app.core.web.render import wants_htmx
from app.core.web.throttle import Limit, Throttle
from app.people.identity.pages import page_router
from app.people.identity.viewer import SignedIn
from app.play.chat.rooms import Room
from app.play.chat.schemas import SayRequest
from app.play.chat.service import Chat

router = page_router()


@router.post("/games/{game_id:id}/chat")
async def say(
    game_id: str,
    viewer: SignedIn,
    chat: Part[Chat],
    throttle: Part[Throttle],
    submission: SubmissionDep,
) -> Response:
    """Post a message; htmx stays on the page, whose live connection shows it."""
    await throttle.hit(Limit.CHAT, f"account:{viewer.id}")
    form = submission.parse(SayRequest)
    await chat.say(viewer, game_id, Room(form.room), form.words)
    return Response(status_code=204) if wants_htmx() else go(f"/games/{game_id}#chat")
