"""Limits on the live connections of one account or address."""

import contextlib
from collections import Counter
from collections.abc import Iterator

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


class Quota:
    """Counts the connections of each account or address in this process; at most `most` are allowed."""

    def __init__(self, most: int, *, enabled: bool) -> None:
        self._most = most
        self._enabled = enabled
        self._open: Counter[int | str] = Counter()

    def check(self, who: int | str) -> None:
        """Raise TooManyConnectionsError if no further connection is allowed."""
        if self._enabled and self._open[who] >= self._most:
            metrics.DROPPED.labels("too_many_connections").inc()
            raise TooManyConnectionsError

    @contextlib.contextmanager
    def count(self, who: int | str) -> Iterator[None]:
        """Count one more connection within the context."""
        self._open[who] += 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]
