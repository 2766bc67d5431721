"""Messages between players in the JSON API, and what their form sends."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import written_lines
from app.core.web.shown import Username, example
from app.site.messages.queries import Letter, Thread
from app.site.messages.service import Letters

MOST_CHARACTERS = 2000


class MessageRequest(RequestBody):
    """A message to a player."""

    text: Annotated[
        str, Field(max_length=MOST_CHARACTERS, examples=["Another game?"]), AfterValidator(written_lines)
    ]


class MessageShown(BaseModel):
    """A message; `username` is its author's."""

    id: int
    username: Username
    text: Annotated[str, example("Another game?")]
    at: datetime

    @classmethod
    def of(cls, letter: Letter) -> "MessageShown":
        """Return a message as the API shows it."""
        return cls(id=letter.id, username=letter.author, text=letter.text, at=letter.at)


class ThreadShown(BaseModel):
    """The messages exchanged with a player: the last one, and how many are unread."""

    username: Username
    last: MessageShown
    unread: int


class ThreadList(BaseModel):
    """The threads of an account, the latest first."""

    threads: list[ThreadShown]

    @classmethod
    def of(cls, threads: Iterable[Thread]) -> "ThreadList":
        """Return threads as the API shows them."""
        return cls(
            threads=[
                ThreadShown(username=thread.username, last=MessageShown.of(thread.last), unread=thread.unread)
                for thread in threads
            ]
        )


class MessageList(BaseModel):
    """A page of a thread, the oldest message first; `before` asks for the page before it."""

    messages: list[MessageShown]
    before: int | None

    @classmethod
    def of(cls, page: Letters) -> "MessageList":
        """Return a page of a thread as the API shows it."""
        return cls(messages=[MessageShown.of(letter) for letter in page.letters], before=page.before)
