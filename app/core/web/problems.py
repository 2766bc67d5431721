"""Problems (RFC 9457) as the OpenAPI describes them."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NotRequired, TypeVar, get_type_hints

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import ConfigDict, TypeAdapter, with_config
from typing_extensions import TypedDict

from app.core.errors import Members, members
from app.core.web.deps import part_getter
from app.core.web.throttle import Throttle

_Dependency = TypeVar("_Dependency", bound=Callable[..., Any])

_OF_EVERY_ROUTE = (400, 413, 422, 500, 503)
_OF_EVERY_PROBLEM = {"type": str, "title": str, "status": int, "detail": str, "code": str}
_REFERENCE = "#/components/schemas/{model}"
_EXAMPLE: dict[str, Any] = {
    "type": "urn:gorrion:problem:illegal_move",
    "title": "Unprocessable Content",
    "status": 422,
    "detail": "c4 is taken.",
    "code": "illegal_move",
    "reason": "occupied",
}

_REFUSALS: dict[Callable[..., Any], int] = {part_getter(Throttle): 429}
"""The status with which a dependency of routes refuses requests."""


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
    problem: Any = TypedDict("Problem", {**_OF_EVERY_PROBLEM, **further})  # type: ignore[misc]
    problem.__doc__ = "An error of the API; `code` says which members it has besides those of every problem."
    config = ConfigDict(json_schema_extra={"examples": [_EXAMPLE]})
    schema = TypeAdapter(with_config(config)(problem)).json_schema(ref_template=_REFERENCE)
    referred = schema.pop("$defs", {})
    return {**referred, "Problem": schema}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI description of problems of a route, besides those that are derived."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {"application/problem+json": {"schema": {"$ref": _REFERENCE.format(model="Problem")}}},
        }
        for status in sorted(statuses)
    }


def refuses(status: int) -> Callable[[_Dependency], _Dependency]:
    """Return what notes the status with which a dependency refuses requests, for `derived_problems`."""

    def note(dependency: _Dependency) -> _Dependency:
        _REFUSALS[dependency] = status
        return dependency

    return note


def derived_problems(route: APIRoute) -> dict[int | str, dict[str, Any]]:
    """Return the description of the problems of every route, and of those that its parameters cause.

    Dependencies refuse requests, and what a path names may not exist.
    """
    statuses = {_REFUSALS[call] for call in _dependencies(route.dependant) if call in _REFUSALS}
    if route.param_convertors:
        statuses.add(404)
    return problems(*statuses, *_OF_EVERY_ROUTE)


def _dependencies(dependant: Dependant) -> set[Callable[..., Any] | None]:
    further = (_dependencies(each) for each in dependant.dependencies)
    return {dependant.call}.union(*further)
