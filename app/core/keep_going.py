"""Working through rows of which each is dealt with for itself."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from app.core.database.session import is_unavailable

log = structlog.get_logger()


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
