"""Limits on the live connections of one account or address."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator
from typing import NoReturn, Protocol

from app import metrics
from app.errors import AppError
from app.i18n.text import _


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


def refuse() -> NoReturn:
    """Raise TooManyConnectionsError, and count it."""
    metrics.DROPPED.labels("too_many_connections").inc()
    raise TooManyConnectionsError
