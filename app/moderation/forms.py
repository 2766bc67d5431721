"""What the forms of reports and of moderators send."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class ReportForm(BaseModel):
    """A report about a player."""

    username: Annotated[str, Field(max_length=64)]
    place: Annotated[str, Field(max_length=100)] = ""
    reason: Literal["abuse", "cheating", "spam", "name", "other"]
    text: Annotated[str, Field(max_length=1000)] = ""
