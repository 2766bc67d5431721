"""What the forms of administrators send."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class RightForm(BaseModel):
    """An account, and a right that it gets or loses."""

    model_config = ConfigDict(frozen=True)

    username: Annotated[str, Field(min_length=1, max_length=64)]
    right: Annotated[str, Field(max_length=20)]
