"""Chat and notes in the JSON API, and what the forms of chat send."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Literal, Self

from pydantic import BaseModel, Field, model_validator

from app.core.i18n.text import _
from app.core.moments import to_datetime
from app.core.web.bodies import RequestBody
from app.core.web.plain_text import Cleaned, lines, one_line
from app.core.web.shown import Username, example
from app.play.chat.notes import MOST_NOTE_CHARACTERS
from app.play.chat.rooms import GREETINGS, MOST_CHARACTERS, ChatSaid
from app.play.chat.service import ChatWords

RoomName = Literal["players", "spectators"]
_Text = Annotated[str, Field(max_length=MOST_CHARACTERS, examples=["Good luck!"]), Cleaned(one_line)]


class Said(BaseModel):
    """A message; `greeting` is the key of a greeting, whose English text is in `text`."""

    id: int
    username: Username
    text: Annotated[str, example("Good luck!")]
    greeting: Annotated[str, example("good_luck")] | None
    at: datetime

    @classmethod
    def of(cls, said: ChatSaid) -> "Said":
        """Return a message as the API shows it."""
        return cls(
            id=said.id,
            username=said.username,
            text=said.text if said.greeting is None else str(GREETINGS[said.greeting]),
            greeting=said.greeting,
            at=to_datetime(said.at),
        )


class ChatEvent(Said):
    """A message in a room beside a game, as live connections are sent it."""

    type: Literal["chat"] = "chat"
    room: RoomName


class Messages(BaseModel):
    """The messages of a room, the oldest first."""

    messages: list[Said]

    @classmethod
    def of(cls, messages: Iterable[ChatSaid]) -> "Messages":
        """Return messages as the API shows them."""
        return cls(messages=[Said.of(said) for said in messages])


class LineRequest(RequestBody):
    """A text or the key of a greeting."""

    text: _Text | None = None
    greeting: Annotated[str, Field(max_length=32)] | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.greeting is None):
            raise ValueError(_("Send a text or a greeting."))
        return self

    @property
    def words(self) -> ChatWords:
        """Return what is said."""
        return ChatWords(self.text, self.greeting)


class SayRequest(LineRequest):
    """A text or the key of a greeting, and the room."""

    room: RoomName


NoteText = Annotated[
    str,
    Field(max_length=MOST_NOTE_CHARACTERS, examples=["Watch e5 in the endgame."]),
    Cleaned(lines),
]


class Note(RequestBody):
    """A private note about a game; empty if there is none."""

    text: NoteText


class NoteRequest(Note):
    """A private note in place of the one that you have `seen`, or of any."""

    seen: NoteText | None = None
