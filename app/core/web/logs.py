"""Logs as JSON on standard error, one line for each event.

Tracebacks name the errors of the database without the values that caused them: these may be secrets.
"""

import logging
import sys
import traceback
from collections.abc import Iterator

import asyncpg
import structlog
from sqlalchemy.exc import DBAPIError, EmulatedDBAPIException
from structlog.typing import ExcInfo


def configure_logs(level: str) -> None:
    """Send the events of Gorrion and of its libraries through one formatter, from `level` up."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.ExceptionRenderer(_format_exception),
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    # Below warnings, uvicorn logs the queries of websockets, which may have secrets, and our class of
    # SQLAlchemy's pools logs every attempt to reach a database that is away.
    for name in ("uvicorn.error", "app.core.database.pools"):
        logging.getLogger(name).setLevel(max(root.level, logging.WARNING))


def _format_exception(exc_info: ExcInfo) -> str:
    return "\nbecause of\n".join(
        f"{''.join(traceback.format_tb(error.__traceback__))}{type(error).__name__}: {_message(error)}"
        for error in _chain(exc_info[1])
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those that led to it: the members of a group, and each one's cause or context."""
    waiting, seen = [error], set[int]()
    while waiting:
        error = waiting.pop(0)
        if id(error) in seen:
            continue
        seen.add(id(error))
        yield error
        if isinstance(error, BaseExceptionGroup):
            waiting.extend(error.exceptions)
        cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if cause is not None:
            waiting.append(cause)


def _message(error: BaseException) -> str:
    """Return an error's text, without the values that an error of the database may quote."""
    if isinstance(error, asyncpg.PostgresError):
        is_about_data = (error.sqlstate or "").startswith("22")
        return f"SQLSTATE {error.sqlstate}" if is_about_data else "".join(error.args[:1])
    if isinstance(error, DBAPIError):
        return str(error.statement)
    if isinstance(error, asyncpg.InterfaceError | EmulatedDBAPIException):
        return "..."
    return str(error)
