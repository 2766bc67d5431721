"""Greetings in the JSON API."""

from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import lines


class GreetingRequest(RequestBody):
    """What a player says to everybody."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"text": "Good evening!"}]})

    text: Annotated[str, Field(min_length=1, max_length=200), AfterValidator(lines)]
