"""The routes of the application, for tests that go through all of them."""

import contextlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass

from fastapi.routing import iter_route_contexts

from app.main import create_app
from app.settings import Settings


@dataclass(frozen=True)
class Call:
    """A method at the path of a route, such as POST at /games/{game_id}/moves."""

    method: str
    path: str
    route: object

    def __str__(self):
        return f"{self.method} {self.path}"


@contextlib.contextmanager
def application():
    """Give an application that is not started, and restore the logs of this process afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    try:
        yield create_app(Settings(database_url="postgresql://nobody@localhost/nowhere"))
    finally:
        root.handlers, root.level = handlers, level


def calls() -> Iterator[Call]:
    """Give every call that the application answers by HTTP."""
    with application() as app:
        for route in iter_route_contexts(app.routes):
            for method in sorted(getattr(route, "methods", None) or ()):
                yield Call(method, route.path, route)
