"""Messages for programs."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from app.core.web.bodies import LARGEST_ID, OptionalBody, RequestBody
from app.core.web.deps import Part
from app.core.web.params import Before
from app.core.web.plain_text import Cleaned, written_lines
from app.core.web.problems import problems
from app.core.web.routes import Router
from app.core.web.throttle import Limit, Throttle
from app.people.identity.viewer import KnownProgram, PlayingProgram
from app.site.messages.queries import MOST_THREADS, MessageShown, ThreadList
from app.site.messages.service import MessageList, Messages

MOST_CHARACTERS = 2000


class MessageRequest(RequestBody):
    """A message to a player."""

    text: Annotated[
        str, Field(max_length=MOST_CHARACTERS, examples=["Another game?"]), Cleaned(written_lines)
    ]


class ReadMessages(RequestBody):
    """The messages that were read: those up to an id; null: all of them."""

    until: Annotated[int, Field(ge=1, le=LARGEST_ID)] | None = None


router = Router(prefix="/api/v1", tags=["messages"])


@router.get("/messages")
async def threads(
    program: KnownProgram,
    messages: Part[Messages],
    before: Before = None,
    limit: Annotated[int, Query(ge=1, le=MOST_THREADS)] = MOST_THREADS,
) -> ThreadList:
    """List the players with whom the token's account has exchanged messages, the latest first."""
    return await messages.threads(program.id, before, limit)


@router.get("/messages/{username}")
async def thread(
    username: str, program: KnownProgram, messages: Part[Messages], before: Before = None
) -> MessageList:
    """Return the messages exchanged with a player; `before` is that of the page after."""
    return await messages.thread(program, username, before)


@router.post("/messages/{username}", status_code=201, responses=problems(409))
async def write(
    username: str,
    body: MessageRequest,
    program: PlayingProgram,
    messages: Part[Messages],
    throttle: Part[Throttle],
) -> MessageShown:
    """Send a message to a player, if both allow it in their settings."""
    await throttle.hit(Limit.MESSAGE, f"account:{program.id}")
    return await messages.write(program, username, body.text)


@router.post("/messages/{username}/read", status_code=204)
async def mark_read(
    username: str, program: PlayingProgram, messages: Part[Messages], body: OptionalBody[ReadMessages]
) -> None:
    """Mark the messages of a player as read, up to the one with the id `until`; without it, all of them."""
    await messages.mark_read(program, username, body.until)
