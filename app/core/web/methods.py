"""The methods that paths accept. Starlette knows only those of the first route that matches a path."""

from functools import cache

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_compiled = cache(compile_path)


def methods_of(app: FastAPI, path: str) -> set[str]:
    """Return the methods of all routes that match a path; none if there is nothing at it."""
    methods: set[str] = set()
    for route in iter_route_contexts(app.routes):
        if route.methods and _compiled(route.path)[0].match(path):
            methods |= route.methods
    if "GET" in methods:
        methods.add("HEAD")
    return methods | {"OPTIONS"} if methods else methods


def without_content(send: Send) -> Send:
    """Return what sends the head of an answer and ends it there: for a stream its reader has left."""

    async def send_head(message: Message) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            await send({"type": "http.response.body"})

    return send_head


class HeadAsGet:
    """ASGI middleware that answers HEAD as GET at every path, without the content."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        as_get = {**scope, "method": "GET"}
        try:
            await self._app(as_get, receive, without_content(send))
        finally:
            scope.update(as_get, method="HEAD")  # the log and the metrics read which route it was
