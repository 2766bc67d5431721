"""Problems (RFC 9457) as the OpenAPI describes them."""

from http import HTTPStatus
from typing import Any, NotRequired, get_type_hints

from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from app.core.errors import Members, members

_REFERENCE = "#/components/schemas/{model}"
_EXAMPLE: dict[str, Any] = {
    "type": "urn:gorrion:problem:illegal_move",
    "title": "Unprocessable Content",
    "status": 422,
    "detail": "c4 is taken.",
    "code": "illegal_move",
    "reason": "occupied",
}


class _Common(TypedDict):
    """The members of every problem."""

    type: str
    title: str
    status: int
    detail: str
    code: str


def problem_schemas() -> dict[str, Any]:
    """Return the schema `Problem`, which has the members of all errors, and those that it refers to, by name.

    Members that not every problem has (see `app.core.errors.members`) are optional.
    """
    own = (function for kind, function in members.registry.items() if kind is not object)
    kinds = (Members, *(get_type_hints(function)["return"] for function in own))
    further = {
        name: NotRequired[hint]
        for kind in kinds
        for name, hint in get_type_hints(kind, include_extras=True).items()
    }
    problem: Any = TypedDict("Problem", {**get_type_hints(_Common), **further})  # type: ignore[misc]
    problem.__doc__ = "An error of the API; `code` says which members it has besides those of every problem."
    config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})
    schema = TypeAdapter(with_config(config)(problem)).json_schema(ref_template=_REFERENCE)
    referred = schema.pop("$defs", {})
    return {**referred, "Problem": schema}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI description of a route's problems: those given, and those of every route."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {"application/problem+json": {"schema": {"$ref": _REFERENCE.format(model="Problem")}}},
        }
        for status in sorted({*statuses, 400, 413, 422, 500, 503})
    }
