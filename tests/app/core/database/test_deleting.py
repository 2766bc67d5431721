"""What is deleted when it is old: in parts, of which none is undone, and with an index for each reference."""

import ast
import asyncio

import pytest
from asyncpg import RaiseError
from sqlalchemy import UniqueConstraint, true
from sqlalchemy.exc import DBAPIError

from app.core.database import deleting
from app.core.database.base import Base
from app.core.database.deleting import delete_in_parts
from app.core.database.session import Database, cause_of
from app.core.importing import import_all
from app.core.web.models import IdempotencyKey
from tests.project.files import SOURCES

import_all("models")

REFERENCES = {
    f"{table.name}.{'.'.join(constraint.column_keys)}": constraint
    for table in Base.metadata.sorted_tables
    for constraint in table.foreign_key_constraints
    if constraint.referred_table.name != "puzzles"  # of which none is deleted
}
_REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF old.digest = '\\x19' THEN RAISE 'refused'; END IF;
    RETURN old;
END $$;
CREATE TRIGGER refuse BEFORE DELETE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION refuse();
"""


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_whoever_deletes_a_row_finds_those_that_refer_to_it_by_an_index(name):
    reference = REFERENCES[name]
    table, columns = reference.table, set(reference.columns)
    indexed = [list(table.primary_key.columns)]
    indexed += [list(each.columns) for each in table.constraints if isinstance(each, UniqueConstraint)]
    for index in table.indexes:
        condition = index.dialect_options["postgresql"]["where"]
        if condition is None or "IS NOT NULL" in str(condition):
            indexed.append(list(index.expressions))
    assert any({str(c) for c in each[: len(columns)]} == {*map(str, columns)} for each in indexed)


@pytest.fixture
async def database(new_database, request, monkeypatch):
    monkeypatch.setattr(deleting, "_PART", 10)
    database = await Database.open(new_database(request.function.__name__[:40]), pool_size=3)
    await database.pool.executemany(
        "INSERT INTO idempotency_keys (digest, request) VALUES ($1, '')", [(bytes([n]),) for n in range(26)]
    )
    yield database
    await database.close()


async def left(database):
    return await database.pool.fetchval("SELECT count(*) FROM idempotency_keys")


async def test_what_was_deleted_before_a_failure_stays_deleted(database):
    await database.pool.execute(_REFUSE)
    with pytest.raises(DBAPIError) as error:
        await delete_in_parts(database, IdempotencyKey, true())
    assert isinstance(cause_of(error.value), RaiseError)
    assert await left(database) == 6


async def test_rows_that_others_lock_are_not_waited_for(database):
    async with database.pool.acquire() as connection, connection.transaction():
        await connection.execute("SELECT FROM idempotency_keys WHERE digest = '\\x05' FOR UPDATE")
        async with asyncio.timeout(5):
            await delete_in_parts(database, IdempotencyKey, true())
        assert await left(database) == 1
    await delete_in_parts(database, IdempotencyKey, true())
    assert await left(database) == 0


def test_schedules_delete_in_parts():
    names = "delete_old", "delete_expired", "delete_unused", "delete_unfinished"
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.AsyncFunctionDef) and node.name.startswith(names):
                assert "execute(delete(" not in ast.unparse(node), f"{path.name}: {node.name}"
