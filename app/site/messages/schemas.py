"""Messages between players in the JSON API, and what their form sends."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import written_lines
from app.site.messages.queries import ThreadShown

MOST_CHARACTERS = 2000


class MessageRequest(RequestBody):
    """A message to a player."""

    text: Annotated[
        str, Field(max_length=MOST_CHARACTERS, examples=["Another game?"]), AfterValidator(written_lines)
    ]


class ThreadList(BaseModel):
    """The threads of an account, the latest first."""

    threads: list[ThreadShown]
