"""Reports in the JSON API."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.web.bodies import RequestBody

LineText = Annotated[str, Field(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")]
FreeText = Annotated[str, Field(max_length=1000, pattern=r"^[^\x00]*$")]


class ReportRequest(RequestBody):
    """A report about a player. `place` names what it is about: `game:ID`, `profile:USERNAME` or the like."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"username": "robin", "place": "game:k7m2wq9xab", "reason": "abuse", "text": "In the chat."}
            ]
        }
    )

    username: Annotated[str, Field(max_length=64)]
    place: LineText = ""
    reason: Literal["abuse", "cheating", "spam", "name", "other"]
    text: FreeText = ""


class ReportMade(BaseModel):
    """A report that moderators will read."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": 17}]})

    id: int
