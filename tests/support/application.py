"""The web application without a server or a database."""

import contextlib
import logging

from app.core.settings import Settings
from app.main import create_app


@contextlib.contextmanager
def application():
    """Make the application, and restore the test run's logging afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    try:
        yield create_app(Settings(database_url="postgresql://nobody@localhost/nowhere"))
    finally:
        root.handlers, root.level = handlers, level
