"""What locks an account and something else: two that do so at once wait for each other in one direction."""

import asyncio
import re
import secrets

import pytest

from tests.support.accounts import id_of
from tests.support.database import connected, execute, fetch
from tests.support.games import lost_rated_game
from tests.support.nugget import new_record
from tests.support.passkeys import SoftPasskey
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
    lock = "SELECT FROM accounts WHERE username = $1 FOR UPDATE", username
    return while_changing(database_url, [lock], *requests)


def while_changing(database_url, statements, *requests):
    """Execute statements, send requests until all of them wait, and return their answers after the commit."""

    async def run():
        async with connected(database_url) as connection, connected(database_url) as watching:
            async with connection.transaction(), asyncio.timeout(WITHIN):
                for statement in statements:
                    await connection.execute(*statement)
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


def test_a_guest_logs_in_by_a_password_and_by_a_passkey(server, database_url):
    guest, passkey = Visitor(server), SoftPasskey()
    guest.http.post("/guest")
    (name,) = fetch(database_url, "SELECT username FROM accounts ORDER BY id DESC LIMIT 1")
    owner = Visitor(server).register()
    made = passkey.register(owner.http.post("/account/passkeys/options").json(), server.url)
    owner.http.post("/account/passkeys", data={"passkey_name": "phone", "credential": made})
    by_password = {"username": owner.username, "password": PASSWORD}
    answer = passkey.answer(guest.http.post("/login/passkey/options").json(), server.url)
    answers = while_locked(
        database_url,
        name,
        lambda: guest.http.post("/login", data=by_password, follow_redirects=False),
        lambda: guest.http.post("/login/passkey", data={"credential": answer}, follow_redirects=False),
    )
    assert answers == [303, 303]


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


_PROOFS = ("api_tokens", "passkeys", "second_factors", "recovery_codes")
_KEY = b"a key of the owner"
_CHANGES = {
    "/account/password": {"new_password": "a third long password"},
    "/account/tokens": {"name": "bot", "scope": "play"},
    f"/account/keys/{_KEY.hex()[:16]}/revoke": {},
    f"/account/passkeys/{_KEY.hex()[:16]}/revoke": {},
    "/account/second-factor": {},
    "/account/second-factor/remove": {},
    "/account/recovery-codes": {},
    "/account/close": {},
}
"""The forms that change what protects an account, with what is sent."""


def proofs_of(database_url, account_id):
    """Return the rows of what an account is protected by, and what its owner was told of it."""
    rows = "SELECT jsonb_agg(to_jsonb(proof)) FROM {} proof WHERE account_id = $1"
    told = "SELECT array_agg(action ORDER BY id) FROM security_events WHERE account_id = $1"
    return [fetch(database_url, rows.format(table), account_id)[0] for table in _PROOFS], fetch(
        database_url, told, account_id
    )[0]


@pytest.mark.parametrize("path", _CHANGES)
def test_a_session_that_is_revoked_while_it_changes_something_changes_nothing(server, database_url, path):
    owner = Visitor(server).register()
    account_id = id_of(database_url, owner)
    intruder = Visitor(server).log_in(owner.username)
    for visitor in (owner, intruder):
        visitor.http.post("/account/confirm", data={"password": PASSWORD})
    passkey = "INSERT INTO passkeys (credential_id, account_id, public_key, sign_count, name)"
    execute(
        database_url, f"{passkey} VALUES ($1, $2, $1, 0, 'Mine')", _KEY + secrets.token_bytes(8), account_id
    )
    token = "INSERT INTO api_tokens (token_hash, account_id, name, scopes)"
    execute(
        database_url, f"{token} VALUES ($1, $2, 'Mine', '{{}}')", _KEY + secrets.token_bytes(8), account_id
    )
    proofs, told = proofs_of(database_url, account_id)
    answers = while_locked(
        database_url,
        owner.username,
        lambda: owner.http.post("/account/password", data={"new_password": "another long password"}),
        lambda: intruder.http.post(path, data=_CHANGES[path]),
    )
    assert answers == [200, 401]
    assert proofs_of(database_url, account_id) == (proofs, [*told, "password_changed"])


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


def test_a_name_that_is_given_up_meanwhile_is_not_registered(server, database_url):
    owner, name = Visitor(server).register(), fresh_name()
    retired = "INSERT INTO retired_names (name_hash, account_id) SELECT sha256($1), id FROM accounts"
    statements = [
        ("UPDATE accounts SET username = $1 WHERE username = $2", name, owner.username),
        (f"{retired} WHERE username = $2", owner.username.lower().encode(), name),
    ]
    form = {"username": owner.username, "password": PASSWORD}
    answers = while_changing(
        database_url, statements, lambda: Visitor(server).http.post("/register", data=form)
    )
    assert answers == [422]


def by_logging_in(server, guest):
    owner = Visitor(server).register()
    form = {"username": owner.username, "password": PASSWORD}
    return lambda: guest.http.post("/login", data=form, follow_redirects=False)


def by_registering(_server, guest):
    form = {"username": fresh_name(), "password": PASSWORD}
    return lambda: guest.http.post("/register", data=form, follow_redirects=False)


def game_of_another(other, guest):
    """Return what lets the guest accept another player's challenge."""
    made = other.challenge(opponent="link").json()["id"]
    return lambda: guest.http.post(f"/challenges/{made}/accept", follow_redirects=False)


def game_of_the_guest(other, guest):
    """Return what lets another player accept the guest's challenge."""
    form = {"game": "jadejack", "size": "9", "side": "black", "opponent_kind": "link"}
    made = guest.http.post("/challenges", data=form).url.path
    return lambda: other.http.post(f"{made}/accept")


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("begin", [game_of_another, game_of_the_guest])
@pytest.mark.parametrize("leave", [by_logging_in, by_registering])
def test_no_game_begins_with_a_guest_who_is_nobody_any_more(server, other, database_url, leave, begin, order):
    guest = Visitor(server)
    guest.http.post("/guest")
    query = "SELECT id, username FROM accounts WHERE password_hash IS NULL ORDER BY id DESC LIMIT 1"
    account_id, name = fetch(database_url, query)
    requests = (leave(server, guest), begin(other, guest))[::order]
    while_locked(database_url, name, *requests)
    played, present = fetch(
        database_url,
        "SELECT (SELECT count(*) FROM games WHERE $1 IN (first_player, second_player)),"
        " (SELECT count(*) FROM sessions WHERE account_id = $1)",
        account_id,
    )
    assert not played or present
