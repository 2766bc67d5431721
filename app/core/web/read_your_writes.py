"""ASGI middleware that decides which requests may read from the replica."""

import math

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.core.database.replica import tolerate_delay
from app.core.web.paths import is_api

_COOKIE = "gorrion-wrote"
_READING = ("GET", "HEAD", "OPTIONS")


class ReadYourWrites:
    """Lets requests read from the replica unless their sender might miss what it has just written there.

    A browser that writes gets a cookie for as long as the replica may be behind. Programs get no cookies, so
    a request with a token reads from the primary. So do websockets, which show changes as they come.
    """

    def __init__(self, app: ASGIApp, *, seconds: float, secure: bool) -> None:
        self._app = app
        self._cookie = f"{_COOKIE}=1; Max-Age={math.ceil(seconds) + 1}; Path=/; HttpOnly; SameSite=lax"
        if secure:
            self._cookie += "; Secure"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        is_writing = scope["type"] == "http" and scope["method"] not in _READING
        if scope["type"] != "http" or (is_writing and is_api(scope["path"])):
            await self._app(scope, receive, send)
            return
        if is_writing:

            async def mark(message: Message) -> None:
                if message["type"] == "http.response.start":
                    MutableHeaders(scope=message).append("Set-Cookie", self._cookie)
                await send(message)

            await self._app(scope, receive, mark)
        elif (
            _COOKIE in (connection := HTTPConnection(scope)).cookies or "authorization" in connection.headers
        ):
            await self._app(scope, receive, send)
        else:
            with tolerate_delay():
                await self._app(scope, receive, send)
