"""The forms of the chat of tournaments."""

from typing import Literal

from starlette.responses import Response

from app.compete.tournaments.chatting import Chatting
from app.compete.tournaments.service import Tournaments
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.redirects import go
from app.core.web.render import wants_htmx
from app.core.web.throttle import Limit, Throttle
from app.people.identity.pages import page_router
from app.people.identity.throttled import Stepping
from app.people.identity.viewer import SignedIn
from app.play.chat.schemas import LineRequest

router = page_router()


@router.post("/tournaments/{tournament_id:id}/chat")
async def say(
    tournament_id: str,
    viewer: SignedIn,
    chatting: Part[Chatting],
    throttle: Part[Throttle],
    submission: SubmissionDep,
) -> Response:
    """Post a message; htmx stays on the page, whose live connection shows it."""
    await throttle.hit(Limit.CHAT, f"account:{viewer.id}")
    await chatting.say(viewer, tournament_id, submission.parse(LineRequest).words)
    if wants_htmx():
        return Response(status_code=204)
    return go(f"/tournaments/{tournament_id}#chat")


@router.post("/tournaments/{tournament_id:id}/chat/{position}")
async def switch(
    tournament_id: str,
    position: Literal["on", "off"],
    viewer: Stepping,
    tournaments: Part[Tournaments],
) -> Response:
    """Switch the chat on or off."""
    await tournaments.switch_chat(tournament_id, viewer, is_on=position == "on")
    return go(f"/tournaments/{tournament_id}")
