"""Runs changed by several requests at the same time."""

import asyncio
from uuid import uuid4

import pytest

from app.core.database.session import Database
from app.core.errors import ConflictError, InvalidError
from app.nugget.models import Run
from app.nugget.runs import Runs, StaleRunError
from app.people.identity.models import Account
from engine.golden_nugget.board import START
from tests.support.players import fresh_name


@pytest.fixture
async def database(database_url):
    database = await Database.open(database_url, pool_size=4)
    yield database
    await database.close()


@pytest.fixture
async def account_id(database):
    async with database.transaction() as session:
        account = Account(username=fresh_name())
        session.add(account)
        await session.flush()
        return account.id


async def test_only_one_of_many_requests_gets_the_last_run(database, account_id):
    async with database.transaction() as session:
        session.add_all(Run(id=uuid4().hex, account_id=account_id, name="") for _ in range(199))
    runs = Runs(database)
    results = await asyncio.gather(*(runs.create(account_id) for _ in range(4)), return_exceptions=True)
    refused = [result for result in results if isinstance(result, ConflictError)]
    assert [error.code for error in refused] == ["too_many_runs"] * 3


async def test_a_board_is_finished_once(database, account_id):
    runs = Runs(database)
    run = await runs.create(account_id)
    finished = await asyncio.gather(
        *(runs.finish_board(run.id, account_id, ["P", "5", "L"], run.version) for _ in range(3)),
        return_exceptions=True,
    )
    assert [type(result) for result in finished].count(StaleRunError) == 2
    after = await runs.get(run.id, account_id)
    assert (after.finished, len(after.play.made), after.version) == (1, 3, run.version + 1)
    assert after in finished


async def test_a_move_of_the_computer_that_is_illegal_changes_nothing(database, account_id):
    runs = Runs(database)
    run = await runs.create(account_id)
    with pytest.raises(InvalidError):
        await runs.finish_board(run.id, account_id, ["P", "nonsense"], run.version)
    assert await runs.get(run.id, account_id) == run


async def test_a_fork_continues_with_the_help_that_its_source_had(database, account_id):
    runs = Runs(database)
    run = await runs.create(account_id, "Evening")
    await runs.count_hint(run.id, account_id, START, "P")
    copy = await runs.fork(run.id, account_id, 1)
    assert (copy.name, copy.hints, copy.is_assisted, copy.play.made) == ("Evening, from board 1", 1, True, ())
