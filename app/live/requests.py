"""Places for requests that are under way: one network cannot take those of all others."""

import math

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.core.settings import Settings
from app.core.web.addresses import network_of
from app.core.web.throttle import TIMES_OF_SITE
from app.live.heads import is_health_check
from app.live.quota import MemoryQuota, NetworkQuota, TooManyConnectionsError

_PART = 0.25  # of the connections of a process


class RequestsOfNetworks:
    """Counts the requests of each network from their heads to the ends of their answers; refuses too many.

    Health checks are not counted: a proxy makes them by its own address.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        most = max(1, _PART * settings.connections) if settings.throttle == "on" else math.inf
        self._app = app
        self._quota = NetworkQuota(MemoryQuota(most), MemoryQuota(TIMES_OF_SITE * most))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; or refuse it and close its connection, since the body may never come."""
        if scope["type"] != "http" or is_health_check(scope["path"]):
            await self._app(scope, receive, send)
            return
        network = network_of(HTTPConnection(scope))
        try:
            await self._quota.check(network)
        except TooManyConnectionsError as error:
            headers = {"Connection": "close", "Retry-After": str(error.seconds)}
            refusal = PlainTextResponse("Too many of your requests are under way.", error.status, headers)
            await refusal(scope, receive, send)
            return
        async with self._quota.hold(network):
            await self._app(scope, receive, send)
