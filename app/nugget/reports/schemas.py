"""What the JSON API and the form of a method send."""

from typing import Annotated

from pydantic import AfterValidator, Field

from app.core.web.bodies import RequestBody
from app.core.web.plain_text import lines


class MethodText(RequestBody):
    """How you found what you entered. An empty text removes what was there."""

    text: Annotated[
        str,
        Field(max_length=5_000, examples=["A beam search of 5,000 positions."]),
        AfterValidator(lines),
    ] = ""
