"""The routes of the application."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fastapi.routing import iter_route_contexts

from app.core.ids import new_id
from engine.registry import GAMES
from tests.support.application import application


@dataclass(frozen=True)
class Call:
    """A method at the path of a route, such as POST at /games/{game_id}/moves."""

    method: str
    path: str
    route: object

    def __str__(self):
        return f"{self.method} {self.path}"


@functools.cache
def calls() -> tuple[Call, ...]:
    """Return every call that the application answers by HTTP."""
    return tuple(
        Call(method, route.path, route)
        for route in iter_route_contexts(application().routes)
        for method in sorted(getattr(route, "methods", None) or ())
    )


def examples(path, words) -> Iterator[str]:
    """Yield paths that a route matches; a parameter that may be any text is each word of other routes."""
    known = re.sub(r"\{\w+:id\}", new_id(), path)
    known = re.sub(r"\{\w+:(slug|competition)\}", "spring-cup-2345", known)
    known = re.sub(r"\{\w+:number\}", "4", known)
    known = re.sub(r"\{\w+:serial\}", "4", known)
    known = re.sub(r"\{\w+:action\}", "resign", known)
    known = re.sub(r"\{\w+:square\}", "c4", known)
    known = re.sub(r"\{\w+:relation\}", "follow", known)
    known = re.sub(r"\{\w+:course\}", "jadejack", known)
    known = re.sub(r"\{\w+:puzzle_game\}", "golden_nugget", known)
    known = re.sub(r"\{\w+:listed\}", "players", known)
    known = re.sub(r"\{\w+:solo\}", "up_and_up", known)
    known = re.sub(r"\{\w+:node\}", "start", known)
    known = re.sub(r"\{\w+:day\}", "2026-11-27", known)
    known = re.sub(r"\{\w+:dump_file\}", "manifest.json", known)
    for game in GAMES if ":game}" in known else [""]:
        with_game = re.sub(r"\{\w+:game\}", game, known)
        for word in words if "{" in with_game else [""]:
            yield re.sub(r"\{\w+\}", word, with_game)
