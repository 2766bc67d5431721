"""What a downtime puts off: whatever somebody had to do by a moment could not be done meanwhile.

Features declare their deadlines beside the tables that have them. The clocks of games have a way of their own
(`app.play.games.timekeeper`).
"""

from collections.abc import Mapping
from datetime import datetime

import asyncpg
import structlog

from app.core.database.statements import Connection

log = structlog.get_logger()

LONG = 120_000  # milliseconds of a downtime from which on deadlines are put off
_PUT_OFF = "UPDATE {table} SET {column} = {column} + ($2 - $1) WHERE {column} > $1 AND {open}"

_declared: dict[str, str] = {}


def put_off(table: str, column: str, is_open: str = "true") -> None:
    """Declare a column of deadlines, which count as long as a condition holds."""
    declare(f"{table}.{column}", _PUT_OFF.format(table=table, column=column, open=is_open))


def declare(name: str, statement: str) -> None:
    """Declare what is done after a downtime, by a statement that takes its beginning and its end."""
    _declared[name] = statement


def declared() -> Mapping[str, str]:
    """Return the statements that were declared, by their names; those of deadlines are `table.column`."""
    return _declared


async def put_all_off(connection: Connection, since: datetime, until: datetime) -> None:
    """Put off all deadlines by a long downtime, in a transaction. One that cannot be is left as it is."""
    for name, statement in _declared.items():
        try:
            async with connection.transaction():
                await connection.execute(statement, since, until)
        except asyncpg.PostgresError:
            log.exception("deadlines_not_put_off", name=name)
