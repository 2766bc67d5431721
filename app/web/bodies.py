"""The base of the JSON bodies that programs send."""

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Strict


class RequestBody(BaseModel):
    """What a program sends: unknown members are refused, and values of another type, such as 1 for true."""

    model_config = ConfigDict(extra="forbid", strict=True)


BodyUuid = Annotated[UUID, Strict(False)]
"""A UUID in a body, where it is text."""
