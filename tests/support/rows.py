"""Rows of any table, made of what its columns demand."""

import secrets
from datetime import UTC, datetime

from sqlalchemy import insert

from app.core.database.base import table

_VALID = {
    "games": {"status": "finished"},
    "challenges": {"kind": "direct", "status": "open"},
    "chat_messages": {"room": "spectators", "text": "Hello"},
    "relations": {"relation": "block"},
    "studies": {"visibility": "private"},
}
"""What a value of the right type is not enough for."""

_REFERRING = {"chat_messages": ("game_id",), "challenges": ("opponent_id",)}
"""What a row refers to besides what it has to."""


async def add_row(session, name, **values):
    """Insert a row with some values, and one into each table that it refers to; return its values.

    The rows that it refers to belong to the account `of_others`, which is no value of the row.
    """
    of_others = values.pop("of_others")
    row = {**_VALID.get(name, {}), **values}
    for constraint in table(name).foreign_key_constraints:
        columns = [column for column in constraint.columns if column.name not in row]
        if columns and any(_is_demanded(name, column) for column in columns):
            parent = constraint.referred_table.name
            known = {
                key.column.name: row[key.parent.name] for key in constraint.elements if key.parent.name in row
            }
            made = {"id": of_others} if parent == "accounts" else None
            made = made or await add_row(session, parent, of_others=of_others, **known)
            row |= {key.parent.name: made[key.column.name] for key in constraint.elements}
    demanded = (column for column in table(name).columns if _is_demanded(name, column))
    row |= {column.name: _value(column) for column in demanded if column.name not in row}
    await session.execute(insert(table(name)).values(row))
    return row


def _is_demanded(name, column):
    is_filled = column.nullable or column.server_default is not None or column.identity is not None
    return not is_filled or column.name in _REFERRING.get(name, ())


def _value(column):
    match column.type.python_type.__name__:
        case "str":
            return f"row-{secrets.token_hex(8)}"
        case "datetime":
            return datetime.now(UTC)
        case "date":
            return datetime.fromordinal(700_000 + secrets.randbelow(30_000)).date()
        case "bytes":
            return secrets.token_bytes(32)
        case kind:
            return {"int": 1, "float": 1.0, "bool": False, "object": {}, "list": []}[kind]
