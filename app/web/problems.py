"""Problems (RFC 9457) as the OpenAPI describes them."""

from http import HTTPStatus
from typing import Any

from pydantic import BaseModel, ConfigDict


class Problem(BaseModel):
    """An error of the API; some codes have further members."""

    model_config = ConfigDict(
        extra="allow",
        json_schema_extra={
            "examples": [
                {
                    "type": "urn:gorrion:problem:stale_ply",
                    "title": "Conflict",
                    "status": 409,
                    "detail": "The game has moved on since you looked. This is its current state.",
                    "code": "stale_ply",
                }
            ]
        },
    )

    type: str
    title: str
    status: int
    detail: str
    code: str


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI description of a route's problems: those given, and those of every route."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in sorted({*statuses, 400, 413, 422, 500, 503})
    }
