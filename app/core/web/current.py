"""The request that is being answered, for those that draw pages, and what middlewares have in common."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
"""The methods of requests that change nothing."""

_CONNECTION: ContextVar[HTTPConnection] = ContextVar("connection")


def connection() -> HTTPConnection:
    """Return the request that this task answers, or the websocket that it serves."""
    return _CONNECTION.get()


class CurrentConnection:
    """ASGI middleware that makes a request the one that `connection` returns."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] in ("http", "websocket"):
            _CONNECTION.set(HTTPConnection(scope))
        await self._app(scope, receive, send)


class OfRequests:
    """An ASGI middleware that serves requests, in `_serve`, and passes everything else on.

    It does not wait for what it has passed on, since a frame of each middleware would stay in memory for as
    long as a websocket is open.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve one connection, or the lifespan."""
        serve = self._serve if scope["type"] == "http" else self._app
        return serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        raise NotImplementedError


def with_headers(send: Send, edit: Callable[[MutableHeaders], None]) -> Send:
    """Return what sends an answer after a function has edited its headers."""

    async def send_edited(message: Message) -> None:
        if message["type"] == "http.response.start":
            edit(MutableHeaders(scope=message))
        await send(message)

    return send_edited
