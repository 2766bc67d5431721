"""Exports in the JSON API."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from app.core.web.bodies import RequestBody


class ExportRequest(RequestBody):
    """A request for an export, confirmed by the password."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"password": "a long pass phrase"}]})

    password: Annotated[str, Field(max_length=256)]


class ExportAsked(BaseModel):
    """An export that is being written: its ZIP file will be at `url`."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"id": "k7m2wq9xab", "url": "/api/v1/me/exports/k7m2wq9xab"}]}
    )

    id: str
    url: str
