"""Limits on the live connections of one account or address."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from typing import NoReturn, Protocol

from app.core import metrics
from app.core.errors import AppError
from app.core.i18n.text import _
from app.core.web.addresses import site_of


class TooManyConnectionsError(AppError):
    """The caller has too many websockets and streams open."""

    def __init__(self) -> None:
        super().__init__(
            "too_many_connections",
            429,
            _("You have too many pages open. Close some of them and try again."),
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

    @contextlib.asynccontextmanager
    async def hold(self, who: int | str) -> AsyncIterator[None]:
        """Count one more connection within the context. Raise TooManyConnectionsError."""
        await self.check(who)
        self.open[who] += 1
        try:
            yield
        finally:
            self.open[who] -= 1
            if not self.open[who]:
                del self.open[who]


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

    @contextlib.asynccontextmanager
    async def hold(self, who: int | str) -> AsyncIterator[None]:
        """Count one more connection within the context. Raise TooManyConnectionsError."""
        site = site_of(str(who))
        of_site = contextlib.nullcontext() if site is None else self._sites.hold(site)
        async with self._networks.hold(who), of_site:
            yield


def refuse() -> NoReturn:
    """Raise TooManyConnectionsError, and count it."""
    metrics.DROPPED.labels("too_many_connections").inc()
    raise TooManyConnectionsError
