"""Notes in the JSON API."""

from typing import Annotated

from pydantic import AfterValidator, Field

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import lines
from app.play.notes.service import MOST_CHARACTERS


class Note(RequestBody):
    """A private note about a game; empty if there is none."""

    text: Annotated[
        str, Field(max_length=MOST_CHARACTERS, examples=["Watch e5 in the endgame."]), AfterValidator(lines)
    ]
