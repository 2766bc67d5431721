"""Routing in sections: a request is compared with the routes whose paths begin like its own, not with all."""

from collections.abc import Mapping
from functools import cached_property

from fastapi import APIRouter
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

_API = "/api/v1"


class Sections:
    """The routes of a router, in their order, by the first word of their paths."""

    def __init__(self, router: APIRouter) -> None:
        self._router = router
        self._all = router.middleware_stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, or run the lifespan."""
        app = self._all if scope["type"] == "lifespan" else self.section(scope["path"])
        await app(scope, receive, send)

    def section(self, path: str) -> APIRouter:
        """Return a router with all routes that may match a path."""
        return self._sections.get(_word(path)) or self._sections[None]

    @cached_property
    def _sections(self) -> Mapping[str | None, APIRouter]:
        """Return the sections, and under None what may match any word; late, when all routes are known."""
        routes = [(route, _word_of(route)) for route in self._router.routes]
        return {
            word: APIRouter(
                routes=[route for route, own in routes if own in (word, None)],
                redirect_slashes=self._router.redirect_slashes,
                default=self._router.default,
            )
            for word in {None, *(own for _route, own in routes)}
        }


def _word(path: str) -> str:
    return path.removeprefix(_API).partition("/")[2].partition("/")[0]


def _word_of(route: BaseRoute) -> str | None:
    """Return the first word of the paths that a route matches, None if that may be any."""
    word = _word(getattr(route, "path", "/{any}"))
    return None if "{" in word else word
