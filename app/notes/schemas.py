"""Notes in the JSON API."""

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from app.notes.service import MOST_CHARACTERS
from app.web.bodies import RequestBody
from app.web.plain_text import lines


class Note(RequestBody):
    """A private note about a game; empty if there is none."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "Watch e5 in the endgame."}]})

    text: Annotated[str, Field(max_length=MOST_CHARACTERS), AfterValidator(lines)]
