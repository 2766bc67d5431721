"""The request that is being answered, for those that draw pages; handlers need not hand it on."""

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
