"""Passwords: how they are stored, which are refused, and what guessing costs."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher

from tests.support import plain_http
from tests.support.answers import assert_problem, code
from tests.support.database import execute, fetch
from tests.support.players import PASSWORD, Program, Visitor, fresh_name
from tests.support.server import start_server
from tests.support.waiting import WITHIN


@pytest.fixture(scope="module")
def strict(database_url):
    """Return a server that hashes passwords as servers for players do."""
    server = start_server(database_url, password_memory="65536")
    yield server
    server.stop()


def hash_of(database_url, username):
    query = "SELECT password_hash FROM accounts WHERE username = $1"
    return fetch(database_url, query, username)["password_hash"]


def register(server, password, username=None):
    body = {"username": username or fresh_name(), "password": password}
    return plain_http.post(f"{server.url}/api/v1/accounts", json=body)


def log_in(server, username, password=PASSWORD):
    body = {"username": username, "password": password}
    return plain_http.post(f"{server.url}/api/v1/tokens", json=body, timeout=WITHIN)


def test_passwords_are_hashed_with_argon2id(strict, database_url):
    assert hash_of(database_url, Program(strict).username).startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_a_hash_of_old_parameters_is_replaced_at_the_next_log_in(strict, database_url, program):
    old = PasswordHasher(time_cost=1, memory_cost=8192, parallelism=1).hash(PASSWORD)
    change = "UPDATE accounts SET password_hash = $2 WHERE username = $1"
    execute(database_url, change, program.username, old)
    assert log_in(strict, program.username).status_code == 201
    assert hash_of(database_url, program.username).startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert log_in(strict, program.username).status_code == 201


@pytest.mark.parametrize(("length", "status"), [(7, 422), (8, 201), (256, 201), (257, 422)])
def test_a_password_has_8_to_256_characters(server, length, status):
    assert register(server, ("xkcd936!" * 33)[:length]).status_code == status


@pytest.mark.parametrize(
    "password", ["password", "12345678", "PASSWORD1", "iloveyou1", "aaaaaaaa", " " * 8, "P4ssw0rd!"]
)
def test_common_passwords_are_refused(server, password):
    problem = assert_problem(register(server, password), 422, "bad_password")
    assert "too easy to guess" in problem["detail"]


@pytest.mark.parametrize("password", ["{}", "{}123", "my{}pw", "{}{}", "{}12345678"])
def test_a_password_made_of_the_username_is_refused(server, password):
    name = fresh_name("wren")
    answer = register(server, password.format(name.upper(), name), name)
    assert code(answer) == (422, "bad_password")


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(server, program):
    known = log_in(server, program.username, "not the password")
    unknown = log_in(server, fresh_name(), "not the password")
    assert known.status_code == unknown.status_code == 401
    assert known.json() == unknown.json()


def test_a_crowd_at_the_door_neither_waits_for_ever_nor_stops_the_site(strict):
    """No connection to the database is used while passwords are hashed, and the queue is short."""
    username = Program(strict).username
    with ThreadPoolExecutor(40) as pool:
        log_ins = [pool.submit(log_in, strict, username, "not the password") for _ in range(40)]
        pages = [plain_http.get(f"{strict.url}/lobby", timeout=WITHIN) for _ in range(3)]
    assert {page.status_code for page in pages} == {200}
    answers = [log_in.result() for log_in in log_ins]
    refused = [answer for answer in answers if answer.status_code != 401]
    assert 0 < len(refused) < len(answers)
    for answer in refused:
        assert_problem(answer, 503, "busy")
        assert int(answer.headers["retry-after"]) > 0


def test_a_flood_of_strangers_does_not_hold_up_a_browser_that_is_known(strict):
    owner = Visitor(strict).register()
    form = {"username": owner.username, "password": PASSWORD}
    with ThreadPoolExecutor(60) as pool:
        flood = [pool.submit(log_in, strict, fresh_name(), "not the password") for _ in range(60)]
        owner.http.post("/logout")
        entered = owner.http.post("/login", data=form, follow_redirects=False)
        confirmed = owner.http.post("/account/confirm", data={"password": PASSWORD}, follow_redirects=False)
        statuses = {attempt.result().status_code for attempt in flood}
    assert (entered.status_code, confirmed.status_code) == (303, 303)
    assert statuses == {401, 503}
