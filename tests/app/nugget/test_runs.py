"""Runs changed by several requests at the same time, and requests that are sent again."""

import asyncio
import random
from uuid import uuid4

import pytest
from sqlalchemy import func, select, update

from app.core.errors import ConflictError, InvalidError
from app.nugget.daily.service import Daily
from app.nugget.models import HelpedPosition, Run
from app.nugget.run_names import LONGEST_NAME
from app.nugget.runs import Runs, StaleRunError
from app.people.identity.locking import lock_account
from app.people.identity.models import Account
from app.play.days.days import today
from engine.golden_nugget.board import FORCES, START
from engine.golden_nugget.play import Play
from tests.support.nugget import sample_moves
from tests.support.players import fresh_name
from tests.support.waiting import WITHIN

_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE $1 = ANY(pg_blocking_pids(pid))"
"""How many wait for what a backend has locked."""


@pytest.fixture
async def account_id(database):
    async with database.transaction() as session:
        account = Account(username=fresh_name())
        session.add(account)
        await session.flush()
        return account.id


def a_solved_board():
    play = Play(1, START)
    for text in sample_moves()[0]:
        play = play.commanded(text[0])
    return play


async def test_only_one_of_many_requests_gets_the_last_run(database, account_id):
    async with database.transaction() as session:
        session.add_all(Run(id=uuid4().hex, account_id=account_id, name="") for _ in range(199))
    runs = Runs(database)
    results = await asyncio.gather(*(runs.create(account_id) for _ in range(4)), return_exceptions=True)
    refused = [result for result in results if isinstance(result, ConflictError)]
    assert [error.code for error in refused] == ["too_many_runs"] * 3


async def test_no_two_runs_get_the_same_name(database, account_id):
    runs = Runs(database)
    first, second, _third = [await runs.create(account_id) for _ in range(3)]
    await runs.delete(first.id, account_id)
    await runs.rename(second.id, account_id, "Run 4")
    await runs.create(account_id)
    solved = a_solved_board()
    for _ in range(3):
        await runs.fork(second.id, account_id, 1)
        await runs.begin_after(account_id, "x" * 100, [solved])
    names = [run.name for run in await runs.of_account(account_id)]
    assert len(set(names)) == len(names) == 9
    assert max(map(len, names)) <= LONGEST_NAME


async def test_a_name_that_a_player_gives_is_kept(database, account_id):
    runs = Runs(database)
    assert [(await runs.create(account_id, "Evening")).name for _ in range(2)] == ["Evening"] * 2


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


async def test_a_hint_is_neither_counted_nor_remembered_on_another_board(database, account_id):
    runs = Runs(database)
    run = await runs.create(account_id)

    async def helped():
        async with database.reading_now() as session:
            return await session.scalar(select(func.count()).select_from(HelpedPosition))

    before = await helped()
    pushed, _ = await runs.act(run.id, account_id, ["5"], run.version, uuid4())
    with pytest.raises(StaleRunError) as refused:
        await runs.count_hint(run.id, account_id, ["P"], run.version)
    assert refused.value.state == pushed == await runs.get(run.id, account_id)
    assert (pushed.hints, await helped()) == (0, before)
    assert (await runs.count_hint(run.id, account_id, ["P"], pushed.version)).hints == 1


async def test_a_fork_continues_with_the_help_that_its_source_had(database, account_id):
    runs = Runs(database)
    run = await runs.create(account_id, "Evening")
    await runs.count_hint(run.id, account_id, ["P"], run.version)
    copy = await runs.fork(run.id, account_id, 1)
    assert (copy.name, copy.hints, copy.is_assisted, copy.play.made) == ("Evening, from board 1", 1, True, ())


def go_back(runs, run, account_id):
    return runs.reopen(run.id, account_id)


def move(runs, run, account_id):
    return runs.act(run.id, account_id, ["5", "P"], run.version, uuid4())


def finish(runs, run, account_id):
    return runs.finish_board(run.id, account_id, ["5"], run.version)


def hint(runs, run, account_id):
    return runs.count_hint(run.id, account_id, ["5"], run.version)


@pytest.mark.parametrize("change", [go_back, move, finish, hint])
async def test_a_run_that_changes_while_it_is_forked_is_copied_in_one_state(database, account_id, change):
    runs = Runs(database)
    run = await runs.begin_after(account_id, "Evening", [a_solved_board()])
    async with asyncio.timeout(WITHIN):
        async with database.transaction() as session:  # another request of the player
            await lock_account(session, account_id)
            holder = await session.scalar(select(func.pg_backend_pid()))
            forking = asyncio.create_task(runs.fork(run.id, account_id, 1))
            while not await database.pool.fetchval(_WAITING, holder):  # noqa: ASYNC110 - there is no event
                await asyncio.sleep(0.01)
            await change(runs, run, account_id)
        copy = await forking
    source = await runs.get(run.id, account_id)
    assert (copy.hints, copy.finished) == (source.hints, source.finished)
    assert (copy.play.number, copy.play.made) == (1, ())


async def test_the_solved_boards_of_a_run_are_those_of_its_state(database, account_id):
    runs, solved = Runs(database), a_solved_board()
    run = await runs.begin_after(account_id, "Evening", [solved])
    assert await runs.solved_boards(run.id, account_id) == (run, [solved.made])
    await runs.reopen(run.id, account_id)
    reopened = await runs.get(run.id, account_id)
    assert (reopened.counts, reopened.play) == ((), solved)
    assert await runs.solved_boards(run.id, account_id) == (reopened, [solved.made])


@pytest.mark.parametrize("seed", range(5))
async def test_a_request_that_is_sent_again_is_answered_as_the_first_time(database, account_id, seed):
    runs, daily, choose = Runs(database), Daily(database), random.Random(seed)
    run = await runs.create(account_id)
    await daily.begin(account_id)
    version = 0
    for _ in range(8):
        commands = choose.choices([*FORCES, "undo", "redo", "start", "to:3", "turn", "nonsense"], k=5)
        one, another = uuid4(), uuid4()
        first, again = [await runs.act(run.id, account_id, commands, run.version, one) for _ in range(2)]
        assert answer(first) == answer(again)
        run = first[0]
        first, again = [await daily.act(account_id, today(), commands, version, another) for _ in range(2)]
        assert answer(first) == answer(again)
        version = first[0].version


def answer(acted):
    state, refusal = acted
    return state, refusal and (refusal.index, refusal.command, refusal.error.reason, str(refusal.error))


async def test_hints_are_given_beyond_the_most_that_are_counted(database, account_id):
    runs = Runs(database)
    run = await runs.create(account_id)
    async with database.transaction() as session:
        await session.execute(update(Run).where(Run.id == run.id).values(hints=(1 << 15) - 1))
    assert (await runs.count_hint(run.id, account_id, ["P"], run.version)).hints == (1 << 15) - 1
