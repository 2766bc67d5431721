"""Routing in sections: a request is compared with the routes whose paths look like its own, not with all."""

from collections import defaultdict
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
        of_place = defaultdict[_Place, list[tuple[int, BaseRoute]]](list)
        for number, route in enumerate(self._router.routes):
            of_place[_place_of(route)].append((number, route))
        words = {word for word, _depth in of_place}
        of_any = {depth for word, depth in of_place if word is None}
        places = {*of_place, *((word, depth) for word in (None, *words) for depth in (None, *of_any))}
        return {
            (word, depth): APIRouter(
                routes=[
                    route
                    for _number, route in sorted(
                        numbered
                        for place in {(word, depth), (word, None), (None, depth), (None, None)}
                        for numbered in of_place.get(place, ())
                    )
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
