"""The web application without a server or a database."""

import contextlib
import functools
import logging

from app.core.settings import Settings
from app.main import create_app


@functools.cache
def application():
    """Return the application whose routes and description tests read; making one takes a second."""
    with new_application() as app:
        return app


@contextlib.contextmanager
def new_application():
    """Make an application for one test, and restore the test run's logging afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    try:
        yield create_app(Settings(database_url="postgresql://nobody@localhost/nowhere"))
    finally:
        root.handlers, root.level = handlers, level
