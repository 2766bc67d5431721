"""Statements that asyncpg executes without a session of SQLAlchemy."""

from datetime import timedelta

import pytest
from sqlalchemy import Interval, bindparam, func, literal, select, text

from app.core.database.session import Database
from app.core.database.statements import DirectStatement


@pytest.fixture
async def pool(database_url):
    database = await Database.open(database_url, pool_size=2)
    yield database.pool
    await database.close()


async def test_parameters_have_their_values_or_those_that_are_given(pool):
    later = func.now() + timedelta(days=1) - func.now() + bindparam("more", type_=Interval)
    statement = DirectStatement(select(later.label("sum"), literal("a").label("letter")))
    assert dict(await statement.row(pool, more=timedelta(hours=2))) == {
        "sum": timedelta(days=1, hours=2),
        "letter": "a",
    }


async def test_a_parameter_may_be_used_twice_and_rows_may_be_none(pool):
    statement = DirectStatement(
        text("SELECT n FROM generate_series(1, 3) n WHERE n > :least AND n <> :least")
    )
    assert [row["n"] for row in await statement.rows(pool, least=1)] == [2, 3]
    assert await statement.row(pool, least=3) is None


async def test_a_question_is_answered(pool):
    statement = DirectStatement(text("SELECT :number > 1"))
    assert await statement.is_true(pool, number=2)
    assert not await statement.is_true(pool, number=1)
