"""Routing in sections: a request is compared with the routes whose paths look like its own, not with all."""

from collections.abc import Mapping
from functools import cached_property

from fastapi import APIRouter
from starlette.routing import BaseRoute, Mount
from starlette.types import Receive, Scope, Send

_API = "/api/v1"

_Place = tuple[str | None, int | None]


class Sections:
    """The routes of a router, in their order, by the first word of their paths and the number of slashes."""

    def __init__(self, router: APIRouter) -> None:
        self._router = router
        self._all = router.middleware_stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, or run the lifespan."""
        app = self._all if scope["type"] == "lifespan" else self.section(scope["path"])
        await app(scope, receive, send)

    def section(self, path: str) -> APIRouter:
        """Return a router with all routes that may match a path."""
        word, depth = _word(path), path.count("/")
        nearest = ((word, depth), (word, None), (None, depth), (None, None))
        return next(self._sections[each] for each in nearest if each in self._sections)

    @cached_property
    def _sections(self) -> Mapping[_Place, APIRouter]:
        """Return the sections, made late, when all routes are known; under None is what may match any."""
        routes = [(route, *_place_of(route)) for route in self._router.routes]
        places = {(word, depth) for _route, word, depth in routes}
        words, of_any = {word for word, _depth in places}, {depth for word, depth in places if word is None}
        places |= {(word, depth) for word in words for depth in (None, *of_any)}
        return {
            (word, depth): APIRouter(
                routes=[
                    route
                    for route, own, own_depth in routes
                    if own in (word, None) and own_depth in (depth, None)
                ],
                redirect_slashes=self._router.redirect_slashes,
                default=self._router.default,
            )
            for word, depth in places
        }


def _word(path: str) -> str:
    return path.removeprefix(_API).partition("/")[2].partition("/")[0]


def _place_of(route: BaseRoute) -> _Place:
    """Return the first word of the paths that a route matches and how many slashes; None may be any."""
    path = getattr(route, "path", "/{any:path}")
    word = _word(path)
    is_deep = isinstance(route, Mount) or ":path}" in path
    return None if "{" in word else word, None if is_deep else path.count("/")
