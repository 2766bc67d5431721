"""Which schemas of the API's descriptions are open: those of what is sent, to which members may be added."""

import re
from collections.abc import Iterable
from typing import Any

from app.core import json

_REFERENCE = re.compile(r'"#/components/schemas/([^"]+)"')


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
