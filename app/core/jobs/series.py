"""Series of events that the server makes by itself: one that fails holds up no other."""

from collections.abc import Awaitable, Callable, Mapping

import structlog

from app.core.database.session import is_unavailable

log = structlog.get_logger()

_failing: dict[str, str] = {}  # the errors of series, each of which is logged once


async def make_each(series: Mapping[str, Callable[[], Awaitable[None]]]) -> None:
    """Make each series, whatever is wrong with others. Raise an exception if PostgreSQL is unavailable."""
    for name, make in series.items():
        try:
            await make()
        except Exception as error:
            if is_unavailable(error):
                raise
            if _failing.get(name) != repr(error):
                log.exception("series_failed", series=name)
            _failing[name] = repr(error)
        else:
            _failing.pop(name, None)
