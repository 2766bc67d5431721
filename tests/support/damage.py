"""Damaging stored rows: each column that may be parsed, in each way, in a row of its own."""

import asyncpg
from sqlalchemy import Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from app.core.database.base import Base
from app.core.ids import new_id
from app.core.importing import import_all
from tests.support.database import connected

import_all("models")

_DAMAGES = {
    Text: ("'damaged'", "''", "'-1'", "repeat('long', 2500)", "NULL"),
    ARRAY: ("'{}'", "'{-1}'", "'{1,2,3,4,5,6,7,8,9}'", "NULL"),
    JSONB: (
        "'\"damaged\"'",
        "'{}'",
        '\'{"kind": 1, "size": "x", "game": 1, "result": []}\'',
        """'{"kind": "race", "until": 1}'""",
        "NULL",
    ),
}
"""What damages a column of a type: what means nothing, too little, too much, and what has another form.

Some of it can be read, such as a long text, no clock or the clock of another kind of game, though no request
could store it.
"""


def damages():
    """Return the columns that may be parsed, each with what damages it, by table: all that are no keys."""
    found = {}
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            is_key = column.primary_key or column.foreign_keys
            for kind, values in _DAMAGES.items():
                if isinstance(column.type, kind) and not is_key and table.name != "unreadable_rows":
                    found.setdefault(table.name, []).extend((column.name, value) for value in values)
    return found


async def copy_rows(database_url):
    """Copy rows of tables with an id, so that there is one for each damage, and two more."""
    async with connected(database_url) as connection:
        for name, wanted in damages().items():
            table = Base.metadata.tables[name]
            if table.primary_key.columns.keys() != ["id"]:
                continue
            kept = ", ".join(f'"{column.name}"' for column in table.columns if column.name != "id")
            count = await connection.fetchval(f'SELECT count(*) FROM "{name}"')
            for _ in range(len(wanted) + 2 - count if count else 0):
                column, value = ('"id",', f"'{new_id()}',") if isinstance(table.c.id.type, Text) else ("", "")
                try:
                    await connection.execute(
                        f'INSERT INTO "{name}" ({column} {kept}) '
                        f'SELECT {value} {kept} FROM "{name}" ORDER BY ctid LIMIT 1'
                    )
                except asyncpg.UniqueViolationError:
                    break


async def damage(database_url):
    """Damage the latest rows of all tables, and return their keys by table.

    The first row of each table stays whole. What PostgreSQL refuses cannot be damaged like this.
    """
    done = {}
    async with connected(database_url) as connection:
        for name, wanted in damages().items():
            table = Base.metadata.tables[name]
            key = ", ".join(f'"{column.name}"' for column in table.primary_key)
            version = ", version = version + 1" if "version" in table.c else ""
            rows = await connection.fetch(f'SELECT ctid, {key} FROM "{name}" ORDER BY ctid DESC')
            for (column, value), (ctid, *parts) in zip(wanted, rows[:-1], strict=False):
                try:
                    await connection.execute(
                        f'UPDATE "{name}" SET "{column}" = {value}{version} WHERE ctid = $1', ctid
                    )
                except asyncpg.PostgresError:
                    continue
                done.setdefault(name, set()).add(",".join(map(str, parts)))
    return done
