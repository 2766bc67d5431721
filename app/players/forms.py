"""What the forms of the players' pages send."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class GameFilter(BaseModel):
    """Which games a list shows, and which page of it; an empty field does not limit them."""

    game: Annotated[str, Field(max_length=32)] = ""
    rated: Literal["", "yes", "no"] = ""
    status: Literal["", "started", "finished"] = ""
    number: Annotated[int, Field(ge=1, le=1000)] = 1
