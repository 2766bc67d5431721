"""Exports in the JSON API."""

from typing import Annotated

from pydantic import BaseModel, Field

from app.core.web.bodies import RequestBody
from app.core.web.shown import Id, example


class ExportRequest(RequestBody):
    """A request for an export, confirmed by the password."""

    password: Annotated[str, Field(max_length=256, examples=["a long pass phrase"])]


class ExportAsked(BaseModel):
    """An export that is being written: its ZIP file will be at `url`."""

    id: Id
    url: Annotated[str, example("/api/v1/me/exports/k7m2wq9xab")]
