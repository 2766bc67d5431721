"""What the schemas of the API's descriptions have besides what their types say: examples, further members."""

import math
import re
from collections.abc import Iterable
from typing import Any

from app.core import json

_OF_TYPES = {"boolean": False, "object": {}}
_NUMBER = 3
_OF_FORMATS = {
    "date": "2026-11-21",
    "date-time": "2026-11-21T18:05:00Z",
    "uuid": "5f0c8a6e-6f3b-4bb4-9a39-0c7a3c7f5a11",
}
_REFERENCE = re.compile(r'"#/components/schemas/([^"]+)"')


def add_examples(schemas: dict[str, Any]) -> None:
    """Add an example to each object among schemas by name that has none of its own.

    A member that may be left out is in it if it has an example or a default.
    Raise LookupError for a member whose schema neither has an example nor suggests one.
    """
    for schema in schemas.values():
        if "properties" in schema:
            schema.setdefault("examples", [_example(schema, schemas)])


def _example(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    match schema:
        case {"examples": [first, *_]} | {"const": first} | {"enum": [first, *_]}:
            example = first
        case {"default": default} if default is not None:
            example = default
        case {"$ref": reference}:
            example = _example(schemas[reference.rpartition("/")[2]], schemas)
        case {"anyOf": [first, *_]} | {"oneOf": [first, *_]}:
            example = _example(first, schemas)
        case {"properties": members}:
            needed = schema.get("required", ())
            shown = {name: each for name, each in members.items() if name in needed or _is_known(each)}
            example = {name: _example(each, schemas) for name, each in shown.items()}
        case {"type": "array", "items": items}:
            example = [_example(items, schemas)]
        case {"format": name} if name in _OF_FORMATS:
            example = _OF_FORMATS[name]
        case {"type": "integer" | "number"}:
            example = _number_within(schema.get("minimum", -math.inf), schema.get("maximum", math.inf))
        case {"type": kind} if kind in _OF_TYPES:
            example = _OF_TYPES[kind]
        case _:
            raise LookupError(f"{schema} has no example")
    return example


def _is_known(member: dict[str, Any]) -> bool:
    """Return whether a member, or what it is if it is not null, has an example or a default."""
    return any(part.keys() & {"examples", "default"} for part in (member, *member.get("anyOf", ())))


def _number_within(least: float, most: float) -> int:
    return int(min(max(_NUMBER, least), most))


def open_sent(schemas: dict[str, Any], taken: Iterable[Any]) -> None:
    """Allow further members in the schemas of what is only sent: those that nothing `taken` refers to.

    A later release may send more members. What the server takes stays closed, since it refuses others.
    """
    closed: set[str] = set()
    waiting = [json.encode(part).decode() for part in taken]
    while waiting:
        for name in set(_REFERENCE.findall(waiting.pop())) - closed:
            closed.add(name)
            waiting.append(json.encode(schemas[name]).decode())
    for name in schemas.keys() - closed:
        if schemas[name].get("additionalProperties") is False:
            del schemas[name]["additionalProperties"]
