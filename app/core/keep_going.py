"""Working through rows, or series of events, of which each is dealt with for itself."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager

import structlog

from app.core.database.session import is_unavailable

log = structlog.get_logger()

_failing: dict[str, str] = {}  # the errors of series, each of which is logged once


@contextmanager
def keep_going(event: str, **about: object) -> Iterator[None]:
    """Log what fails within this context, under the name of an event, so that the other rows get their turn.

    Raise only what says that the database is unavailable, which would fail for all of them.
    """
    try:
        yield
    except Exception as error:
        if is_unavailable(error):
            raise
        log.exception(event, **about)


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
