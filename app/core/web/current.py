"""The request that is being answered, for those that draw pages, and middlewares of requests alone."""

from collections.abc import Awaitable
from contextvars import ContextVar

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

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
    """An ASGI middleware that serves requests, in `serve`, and passes everything else on.

    It does not wait for what it has passed on, since a frame of each middleware would stay in memory for as
    long as a websocket is open.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve one connection, or the lifespan."""
        serve = self.serve if scope["type"] == "http" else self._app
        return serve(scope, receive, send)

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        raise NotImplementedError
