"""The routes of the application."""

from collections.abc import Iterator
from dataclasses import dataclass

from fastapi.routing import iter_route_contexts

from tests.support.application import application


@dataclass(frozen=True)
class Call:
    """A method at the path of a route, such as POST at /games/{game_id}/moves."""

    method: str
    path: str
    route: object

    def __str__(self):
        return f"{self.method} {self.path}"


def calls() -> Iterator[Call]:
    """Yield every call that the application answers by HTTP."""
    with application() as app:
        for route in iter_route_contexts(app.routes):
            for method in sorted(getattr(route, "methods", None) or ()):
                yield Call(method, route.path, route)
