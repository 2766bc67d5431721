"""Limits on the live connections of one account or address, and on the requests of one network."""

import contextlib
import math
from collections import Counter
from typing import NoReturn, Protocol

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.core import metrics
from app.core.errors import RetryLaterError
from app.core.i18n.text import _
from app.core.settings import Settings
from app.core.web.addresses import network_of, site_of
from app.core.web.throttle import TIMES_OF_SITE
from app.live.heads import is_health_check

_PART = 0.25  # of the connections of a process, that the requests of one network may take


class TooManyConnectionsError(RetryLaterError):
    """The caller has too many websockets and streams open; some have to be closed first."""

    def __init__(self) -> None:
        super().__init__(
            "too_many_connections",
            429,
            _("You have too many connections open. Close some of them and try again."),
            seconds=30,
        )


class Quota(Protocol):
    """Counts the connections of each account or address; so many are allowed."""

    async def check(self, who: int | str) -> None:
        """Raise TooManyConnectionsError if no further connection is allowed."""

    def hold(self, who: int | str) -> contextlib.AbstractAsyncContextManager[None]:
        """Count one more connection within the context. Raise TooManyConnectionsError."""


class MemoryQuota:
    """Counts the connections of this process; at most `most` are allowed."""

    def __init__(self, most: float) -> None:
        self.most = most
        self.open: Counter[int | str] = Counter()

    async def check(self, who: int | str) -> None:
        """Raise TooManyConnectionsError if no further connection is allowed."""
        if self.open[who] >= self.most:
            refuse()

    def hold(self, who: int | str) -> contextlib.AbstractAsyncContextManager[None]:
        """Count one more connection within the context. Raise TooManyConnectionsError."""
        return _Counted(self, who)


class _Counted(contextlib.AbstractAsyncContextManager[None]):
    """One connection, counted. A generator would take ten times the memory for as long as it lasts."""

    __slots__ = ("_quota", "_who")

    def __init__(self, quota: MemoryQuota, who: int | str) -> None:
        self._quota = quota
        self._who = who

    async def __aenter__(self) -> None:
        await self._quota.check(self._who)
        self._quota.open[self._who] += 1

    async def __aexit__(self, *_error: object) -> None:
        opened = self._quota.open
        opened[self._who] -= 1
        if not opened[self._who]:
            del opened[self._who]


class NetworkQuota:
    """Counts the connections of networks, and those of the IPv6 sites that these belong to."""

    def __init__(self, networks: Quota, sites: Quota) -> None:
        self._networks = networks
        self._sites = sites

    async def check(self, who: int | str) -> None:
        """Raise TooManyConnectionsError if no further connection is allowed."""
        await self._networks.check(who)
        site = site_of(str(who))
        if site is not None:
            await self._sites.check(site)

    def hold(self, who: int | str) -> contextlib.AbstractAsyncContextManager[None]:
        """Count one more connection within the context. Raise TooManyConnectionsError."""
        site, counted = site_of(str(who)), self._networks.hold(who)
        return counted if site is None else Both(counted, self._sites.hold(site))


class Both(contextlib.AbstractAsyncContextManager[None]):
    """Two contexts, of which the second is entered after the first and left before it."""

    __slots__ = ("_first", "_second")

    def __init__(
        self,
        first: contextlib.AbstractAsyncContextManager[None],
        second: contextlib.AbstractAsyncContextManager[None],
    ) -> None:
        self._first = first
        self._second = second

    async def __aenter__(self) -> None:
        await self._first.__aenter__()
        try:
            await self._second.__aenter__()
        except BaseException:
            await self._first.__aexit__(None, None, None)
            raise

    async def __aexit__(self, *_error: object) -> None:
        try:
            await self._second.__aexit__(None, None, None)
        finally:
            await self._first.__aexit__(None, None, None)


def refuse() -> NoReturn:
    """Raise TooManyConnectionsError, and count it."""
    metrics.DROPPED.labels("too_many_connections").inc()
    raise TooManyConnectionsError


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
        if scope["type"] != "http" or is_health_check(scope["method"], scope["path"]):
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
