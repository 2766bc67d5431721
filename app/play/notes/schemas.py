"""Notes in the JSON API."""

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import lines
from app.play.notes.service import MOST_CHARACTERS


class Note(RequestBody):
    """A private note about a game; empty if there is none."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "Watch e5 in the endgame."}]})

    text: Annotated[str, Field(max_length=MOST_CHARACTERS), AfterValidator(lines)]
