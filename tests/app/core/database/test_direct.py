"""Queries that asyncpg executes alone give what a session gives."""

from datetime import UTC, date, datetime
from uuid import UUID

import pytest
from sqlalchemy import (
    ARRAY,
    Boolean,
    Date,
    DateTime,
    Double,
    Integer,
    LargeBinary,
    Text,
    Uuid,
    bindparam,
    delete,
    func,
    inspect,
    literal,
    select,
    text,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased, defer

from app.core.database.base import Base
from app.core.database.session import Database
from app.core.database.statements import is_one_of
from app.core.importing import import_all
from app.people.identity.models import Account, Sanction
from tests.support.database import on_database

import_all("models")

_MAPPED = [mapper.class_ for mapper in Base.registry.mappers]
MODELS = sorted(  # without those of other tests
    (model for model in _MAPPED if model.__module__.startswith("app.")), key=lambda model: model.__name__
)


@pytest.fixture
async def accounts(database):
    """Two accounts, of which the first one has a sanction."""
    async with database.transaction() as session:
        made = [Account(username=name, preferences={"theme": name}) for name in ("one", "two")]
        session.add_all(made)
        await session.flush()
        session.add(Sanction(account_id=made[0].id, kind="mute", until=datetime(2030, 1, 1, tzinfo=UTC)))
    yield made
    ids = [each.id for each in made]
    async with database.transaction() as session:
        await session.execute(delete(Sanction).where(Sanction.account_id.in_(ids)))
        await session.execute(delete(Account).where(Account.id.in_(ids)))


@pytest.fixture
def of_sessions(monkeypatch):
    """The statements that went through a session of SQLAlchemy."""
    seen = []
    execute = AsyncSession.execute

    async def noted(self, statement, *arguments, **options):
        seen.append(statement)
        return await execute(self, statement, *arguments, **options)

    monkeypatch.setattr(AsyncSession, "execute", noted)
    return seen


def plain(value):
    """Return a value of a row that can be compared: an entity as its columns."""
    if isinstance(value, Base):
        return type(value), {name: item for name, item in vars(value).items() if not name.startswith("_")}
    return value


async def both(database, statement, values=None):
    """Return the rows of a statement by a session of a transaction, and by asyncpg."""
    async with database.transaction() as session:
        expected = (await session.execute(statement, values)).all()
    async with database.reading_now() as session:
        await session.execute(statement, values)
    async with database.reading_now() as session:
        found = (await session.execute(statement, values)).all()
    return [[list(map(plain, row)) for row in rows] for rows in (expected, found)]


_other = aliased(Account)
_MADE = Account.username.in_(["one", "two"])  # those of `accounts`: other tests may have left thousands
QUERIES = {
    "columns": (select(Account.id, Account.username).where(_MADE).order_by(Account.id), None),
    "entities": (select(Account).where(_MADE).order_by(Account.id), None),
    "an entity beside columns": (
        select(func.count().over(), Account, Account.preferences, _other)
        .join(_other, _other.id > Account.id)
        .where(_MADE, _other.username == "two"),
        None,
    ),
    "none of an outer join": (
        select(Account.username, Sanction)
        .outerjoin(Sanction, Sanction.account_id == Account.id)
        .where(_MADE),
        None,
    ),
    "columns of one name": (
        select(Account.id, Sanction.account_id, _other.id)
        .join(Sanction, Sanction.account_id == Account.id)
        .join(_other, _other.id == Account.id),
        None,
    ),
    "parameters": (
        select(Account.username)
        .where(Account.username == bindparam("name"), Account.preferences == bindparam("preferences"))
        .limit(bindparam("limit")),
        {"name": "two", "preferences": {"theme": "two"}, "limit": 3},
    ),
    "constants": (select(Account.username).where(Account.username.in_(["one", "three"])), None),
    "an array": (
        select(Account.id).where(is_one_of(Account.username, bindparam("names"))),
        {"names": ["two", "three"]},
    ),
    "a parameter twice": (
        select(Account.username).where(
            Account.preferences == bindparam("value"), bindparam("value").is_not(None)
        ),
        {"value": {"theme": "two"}},
    ),
    "types": (
        select(
            literal({"a": [1]}, JSONB),
            literal(["a"], ARRAY(Text)),
            func.avg(Account.id),
            func.sum(Account.id),
            func.max(Account.created_at),
        ),
        None,
    ),
    "a union": (
        union_all(select(Account.username.label("name")).where(_MADE), select(Sanction.kind)).order_by(
            "name"
        ),
        None,
    ),
}


@pytest.mark.parametrize("name", QUERIES)
@pytest.mark.usefixtures("accounts")
async def test_rows_are_those_of_a_session(database, of_sessions, name):
    expected, found = await both(database, *QUERIES[name])
    assert found == expected
    assert expected
    assert len(of_sessions) == 2  # that of the transaction, and the first reading


@pytest.mark.usefixtures("accounts")
@pytest.mark.parametrize(
    "statement",
    [
        select(Account).options(defer(Account.preferences)).where(_MADE).order_by(Account.id),
        select(Account.id).where(Account.username.in_(bindparam("names", ["one"], expanding=True))),
    ],
)
async def test_what_only_a_session_can_do_is_left_to_it(database, of_sessions, statement):
    expected, found = await both(database, statement, {"names": ["one", "two"]})
    assert found == expected
    assert len(of_sessions) == 3


_CHECKS = """
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint
WHERE (contype = 'c' OR condeferrable) AND connamespace = 'public'::regnamespace
"""
_VALUES = {
    ARRAY: lambda number, kind: [value_of(kind.item_type, number)] * number,
    Boolean: lambda number, _kind: number == 1,
    Date: lambda number, _kind: date(2030, 1, number),
    DateTime: lambda number, _kind: datetime(2030, 1, number, tzinfo=UTC),
    Double: lambda number, _kind: number / 4,
    JSONB: lambda number, _kind: {"a": [number, None]},
    LargeBinary: lambda number, _kind: bytes([number]),
    Integer: lambda number, _kind: number,
    Text: lambda number, _kind: f"a{number}",
    Uuid: lambda number, _kind: UUID(int=number),
}
"""A value of a column by its type, another one for each row."""


def value_of(kind, number):
    (make,) = (make for each, make in _VALUES.items() if isinstance(kind, each))
    return make(number, kind)


def row_of(model, number):
    """Return a row of a table with a value in each column; the third one has none where none is needed."""
    columns = [column for column in model.__table__.columns if column.identity is None]
    return {
        column.name: None if number == 3 and column.nullable else value_of(column.type, number)
        for column in columns
    }


@pytest.fixture(scope="module")
def filled_url(new_database):
    """Return the URL of a database that has rows in each table, which mean nothing."""
    url = new_database("filled")

    async def fill(database):
        async with database.engine.begin() as connection:
            await connection.execute(text("SET LOCAL session_replication_role = replica"))  # no triggers
            for drop in (await connection.scalars(text(_CHECKS))).all():
                await connection.execute(text(drop))
            for model in MODELS:
                await connection.execute(delete(model))  # those of migrations
                rows = [row_of(model, number) for number in (1, 2, 3)]
                await connection.execute(insert(model).on_conflict_do_nothing(), rows)

    on_database(url, fill)
    return url


@pytest.mark.parametrize("model", MODELS)
async def test_entities_of_each_table_can_be_read(filled_url, of_sessions, model):
    async with Database.opened(filled_url, pool_size=2) as database:
        expected, found = await both(database, select(model))
    assert found == expected
    assert expected
    assert len(of_sessions) == 2


@pytest.mark.parametrize("as_given", [lambda key: key, lambda key: (key,), lambda key: {"id": key}])
async def test_an_entity_is_found_by_each_form_of_its_key(database, accounts, as_given):
    for _time in range(3):
        async with database.reading_now() as session:
            assert (await session.get_one(Account, as_given(accounts[1].id))).username == accounts[1].username


async def test_a_session_has_one_entity_of_a_row(database, accounts):
    one = accounts[0]
    for _time in range(3):
        query = select(Account).where(Account.id == one.id)  # which a session executes, since it is a new one
        async with database.reading_now() as session:
            first = await session.get_one(Account, one.id)
            assert await session.get(Account, one.id) is first
            assert [await session.scalar(query) for _again in range(3)] == [first] * 3
    assert inspect(first).identity == (one.id,)
    async with database.transaction() as session:
        await session.execute(update(Account).where(Account.id == one.id).values(username="new"))
    async with database.reading_now() as session:
        again = await session.get_one(Account, one.id)
    assert (again is first, again.username) == (False, "new")


async def test_a_value_that_is_missing_is_an_error(database):
    query = select(Account.id).where(Account.id == bindparam("id"))
    for _time in range(2):
        async with database.reading_now() as session:
            await session.execute(query, {"id": 1})
    with pytest.raises(KeyError):
        async with database.reading_now() as session:
            await session.execute(query)


async def test_changing_what_was_read_is_an_error_each_time(database, accounts):
    query = select(Account).where(Account.id == accounts[0].id)
    for _time in range(3):
        with pytest.raises(RuntimeError, match="only reads"):
            async with database.reading_now() as session:
                (await session.scalars(query)).one().username = "changed"


async def test_adding_is_an_error_each_time(database):
    query = select(Account.id).limit(1)
    for _time in range(3):
        with pytest.raises(RuntimeError, match="only reads"):
            async with database.reading_now() as session:
                session.add(Sanction())
                await session.execute(query)


async def test_locking_is_an_error_each_time(database):
    query = select(Account.id).with_for_update()
    for _time in range(3):
        with pytest.raises(RuntimeError, match="only reads"):
            async with database.reading_now() as session:
                await session.execute(query)
