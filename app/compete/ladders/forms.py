"""What the HTML forms of ladders send."""

from typing import Annotated

from pydantic import BaseModel, Field


class ChallengeForm(BaseModel):
    """The player to challenge."""

    opponent: Annotated[str, Field(max_length=64)] = ""
