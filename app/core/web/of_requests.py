"""Middlewares of requests alone, which the connections of websockets do not notice."""

from collections.abc import Awaitable

from starlette.types import ASGIApp, Receive, Scope, Send


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
