"""The pages of messages: the list of threads, and one thread."""

from urllib.parse import quote

from starlette.responses import Response

from app.core.errors import AppError
from app.core.web.deps import Part
from app.core.web.forms import SubmissionDep
from app.core.web.params import Before
from app.core.web.redirects import go, stay_or_go
from app.core.web.render import page
from app.core.web.throttle import Limit, Throttle
from app.people.identity.pages import page_router
from app.people.identity.service import Identity
from app.people.identity.viewer import PageOwner, SignedIn
from app.site.messages import api
from app.site.messages.service import Messages

router = page_router()


@router.get("/messages")
async def threads(viewer: PageOwner, messages: Part[Messages], before: Before = None) -> Response:
    """List the players with whom the viewer has exchanged messages."""
    listed = await messages.threads(viewer.id, before)
    return page("pages/messages.html", threads=listed.threads, older=listed.next)


@router.get("/messages/{username}")
async def thread(
    username: str, viewer: PageOwner, messages: Part[Messages], before: Before = None
) -> Response:
    """Show the messages exchanged with a player, and a form to write another."""
    return await _thread(username, viewer, messages, before)


@router.post("/messages/{username}")
async def write(
    username: str,
    viewer: SignedIn,
    messages: Part[Messages],
    throttle: Part[Throttle],
    submission: SubmissionDep,
) -> Response:
    """Send a message."""
    await throttle.hit(Limit.MESSAGE, f"account:{viewer.id}")
    try:
        await messages.write(viewer, username, submission.parse(api.MessageRequest).text)
    except AppError as error:
        if error.status == 404 or viewer.is_guest:
            raise
        return await _thread(
            username, viewer, messages, failure=error, text=submission.values.get("text", "")
        )
    return go(f"/messages/{quote(username)}#write")


async def _thread(
    username: str,
    viewer: Identity,
    messages: Messages,
    before: int | None = None,
    *,
    failure: AppError | None = None,
    text: str = "",
) -> Response:
    return page(
        "pages/thread.html",
        failure=failure,
        thread=await messages.thread(viewer, username, before),
        before=before,
        most=api.MOST_CHARACTERS,
        form_values={"text": text},
    )


router.form("/messages/{username}/read", api.mark_read, then="/messages", answer=stay_or_go)
