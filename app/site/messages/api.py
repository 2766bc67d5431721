"""Messages for programs."""

from fastapi import APIRouter

from app.core.web.deps import Part
from app.core.web.params import Before
from app.core.web.problems import problems
from app.core.web.throttle import Limit, Throttle
from app.people.identity.viewer import KnownProgram, PlayingProgram
from app.site.messages import schemas
from app.site.messages.queries import MessageShown
from app.site.messages.service import MessageList, Messages

router = APIRouter(prefix="/api/v1", tags=["messages"])


@router.get("/messages", responses=problems(401))
async def threads(program: KnownProgram, messages: Part[Messages]) -> schemas.ThreadList:
    """List the players with whom the token's account has exchanged messages, the latest first."""
    return schemas.ThreadList(threads=await messages.threads(program))


@router.get("/messages/{username}", responses=problems(401, 404))
async def thread(
    username: str, program: KnownProgram, messages: Part[Messages], before: Before = None
) -> MessageList:
    """Return the messages exchanged with a player; `before` is that of the page after."""
    return await messages.thread(program, username, before)


@router.post("/messages/{username}", status_code=201, responses=problems(401, 403, 404, 409, 429))
async def write(
    username: str,
    body: schemas.MessageRequest,
    program: PlayingProgram,
    messages: Part[Messages],
    throttle: Part[Throttle],
) -> MessageShown:
    """Send a message to a player, if both allow it in their settings."""
    await throttle.hit(Limit.MESSAGE, f"account:{program.id}")
    return await messages.write(program, username, body.text)


@router.post("/messages/{username}/read", status_code=204, responses=problems(401, 403, 404))
async def mark_read(username: str, program: PlayingProgram, messages: Part[Messages]) -> None:
    """Mark the messages of a player as read."""
    await messages.mark_read(program, username)
