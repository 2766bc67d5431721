"""What locks an account and something else: two that do so at once wait for each other in one direction."""

import asyncio
import re

import pytest

from tests.support.database import connected, fetch
from tests.support.games import lost_rated_game
from tests.support.nugget import new_record
from tests.support.players import PASSWORD, Program, Visitor, fresh_name, make_old
from tests.support.threads import run_coroutine
from tests.support.waiting import WITHIN

_WAITING = """
WITH RECURSIVE waiting (pid) AS (
    SELECT $1::int
    UNION
    SELECT others.pid FROM pg_stat_activity others
    JOIN waiting ON waiting.pid = ANY(pg_blocking_pids(others.pid))
)
SELECT count(*) - 1 FROM waiting
"""
"""How many wait for a backend, or for one that waits for it: a server has others that wait now and then."""


def while_locked(database_url, username, *requests):
    """Lock an account, send requests until all of them wait, and return their answers after unlocking it."""

    async def run():
        async with connected(database_url) as connection, connected(database_url) as watching:
            async with connection.transaction(), asyncio.timeout(WITHIN):
                await connection.execute("SELECT FROM accounts WHERE username = $1 FOR UPDATE", username)
                holder, sent = connection.get_server_pid(), []
                for request in requests:
                    sent.append(asyncio.create_task(asyncio.to_thread(request)))
                    while await watching.fetchval(_WAITING, holder) < len(sent):  # noqa: ASYNC110 - there is no event
                        await asyncio.sleep(0.01)
            return [answer.status_code for answer in await asyncio.gather(*sent)]

    return run_coroutine(run())


@pytest.fixture
def leader(server, database_url):
    leader = Program(server)
    lost_rated_game(Program(server), leader)
    make_old(database_url, leader)
    return leader


def test_a_leader_closes_the_account_while_somebody_asks_to_join(program, leader, database_url):
    made = leader.http.post("/teams", json={"name": fresh_name("Team"), "join": "request"}).json()
    answers = while_locked(
        database_url,
        leader.username,
        lambda: leader.http.post("/me/close", json={"password": PASSWORD}),
        lambda: program.http.post(f"/teams/{made['id']}/join", json={"text": ""}),
    )
    assert answers == [204, 200]


def test_recovery_codes_are_replaced_while_one_is_used(server, database_url):
    owner = Visitor(server).register()
    codes = re.findall(r"<code>([^<]+)</code>", owner.http.post("/account/recovery-codes").text)
    recovery = {"username": owner.username, "code": codes[0], "new_password": "another long password"}
    answers = while_locked(
        database_url,
        owner.username,
        lambda: owner.http.post("/account/recovery-codes"),
        lambda: Visitor(server).http.post("/login/recover", data=recovery),
    )
    assert answers == [200, 422]  # the code was replaced


def test_a_session_that_is_revoked_while_it_creates_a_token_creates_none(server, database_url):
    owner = Visitor(server).register()
    credentials = {"username": owner.username, "password": PASSWORD}
    intruder = Visitor(server)
    intruder.http.post("/login", data=credentials)
    changes = {"new_password": "another long password", "revoke_tokens": "true"}
    for visitor in (owner, intruder):
        visitor.http.post("/account/confirm", data={"password": PASSWORD})
    answers = while_locked(
        database_url,
        owner.username,
        lambda: owner.http.post("/account/password", data=changes),
        lambda: intruder.http.post("/account/tokens", data={"name": "bot", "scope": "play"}),
    )
    assert answers == [200, 401]
    (tokens,) = fetch(
        database_url,
        "SELECT count(*) FROM api_tokens JOIN accounts ON accounts.id = account_id WHERE username = $1",
        owner.username,
    )
    assert tokens == 0


def test_no_game_begins_with_an_account_that_is_being_closed(program, other, database_url):
    challenge = program.challenge(opponent=other.username).json()["id"]
    answers = while_locked(
        database_url,
        program.username,
        lambda: program.http.post("/me/close", json={"password": PASSWORD}),
        lambda: other.http.post(f"/challenges/{challenge}/accept"),
    )
    assert answers == [204, 409]


def test_an_account_whose_game_is_just_beginning_is_not_closed(program, other, database_url):
    challenge = program.challenge(opponent=other.username).json()["id"]
    answers = while_locked(
        database_url,
        program.username,
        lambda: other.http.post(f"/challenges/{challenge}/accept"),
        lambda: program.http.post("/me/close", json={"password": PASSWORD}),
    )
    assert answers == [200, 422]


def test_a_program_is_not_declared_while_it_submits_an_entry_as_a_person(program, database_url):
    record = {"boards": new_record(detours=19)}
    answers = while_locked(
        database_url,
        program.username,
        lambda: program.http.post("/nugget/entries", json=record),
        lambda: program.http.post("/me/computer"),
    )
    assert answers == [201, 409]
