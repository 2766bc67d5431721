"""API tokens: recognisable, limited in number, time and scope, and listed with their last use."""

import re
from inspect import unwrap

import pytest
from fastapi.routing import APIRoute

from app.core.web.addresses import network_of
from app.people.identity.viewer import asking_program, playing_program
from tests.security.keys import new_token, status_of
from tests.support import plain_http
from tests.support.answers import assert_problem, code
from tests.support.database import execute
from tests.support.players import PASSWORD, Match, Program
from tests.support.reach import called_outside
from tests.support.routes import calls


def issue(program, **members):
    body = {"username": program.username, "password": PASSWORD, **members}
    return program.http.post("/tokens", json=body)


def test_scanners_recognise_a_token_by_its_prefix(program, visitor):
    tokens = (program.token, issue(program).json()["token"], new_token(visitor.register()))
    assert [token[:4] for token in tokens] == ["gor_"] * 3


@pytest.mark.parametrize(
    ("members", "days"), [({}, 365), ({"expires_in_days": 1}, 1), ({"expires_in_days": None}, None)]
)
def test_a_token_expires_after_a_year_unless_chosen_otherwise(server, program, clock, members, days):
    token = issue(program, **members).json()["token"]
    clock.advance(days=(days or 500) - 1)
    assert status_of(server, token) == 200
    clock.advance(days=1)
    assert status_of(server, token) == (401 if days else 200)


@pytest.mark.parametrize(("scope", "told"), [("play", "play and read"), ("read", "read only")])
def test_the_page_says_what_a_token_may_do(visitor, scope, told):
    new_token(visitor.register(), scope=scope)
    assert f'<small class="soft">{told}</small>' in visitor.http.get("/account/security").text


def test_the_page_offers_a_year_and_shows_the_last_use(server, visitor):
    page = visitor.register().http.get("/account/security").text
    assert '<option value="365" selected>' in page
    token = new_token(visitor, days="365")
    assert "never used" in visitor.http.get("/account/security").text
    status_of(server, token)
    page = visitor.http.get("/account/security").text
    assert "never used" not in page
    assert re.search(r"last used <time[^>]*>just now<", page)


def test_pages_and_programs_have_one_limit_of_tokens(server, database_url, visitor):
    visitor.register()
    execute(
        database_url,
        "INSERT INTO api_tokens (token_hash, account_id, name, scopes) "
        "SELECT sha256((id || '-' || number)::bytea), id, 'bot', '{play}' "
        "FROM accounts, generate_series(1, 50) number WHERE username = $1",
        visitor.username,
    )
    answer = visitor.http.post("/account/tokens", data={"name": "bot", "scope": "play"})
    assert answer.status_code == 409
    assert "You have 50 tokens" in answer.text
    program = Program(server)
    program.username = visitor.username
    assert code(issue(program)) == (409, "too_many_tokens")


@pytest.mark.parametrize("scopes", [[], ["read"]])
def test_a_token_without_the_scope_only_reads(server, scopes):
    match = Match(server)
    program = match.black
    token = issue(program, scopes=scopes, name="reader").json()["token"]
    program.http.headers["Authorization"] = f"Bearer {token}"
    assert program.http.get("/me").json()["username"] == program.username
    assert_problem(program.move(match.id, "c4", 0), 403, "missing_scope")
    assert_problem(program.challenge(), 403, "missing_scope")


def route_of(call):
    return getattr(call.route, "original_route", call.route)


def dependencies(dependant):
    yield dependant.call
    for each in dependant.dependencies:
        yield from dependencies(each)


READING = [
    call
    for call in calls()
    if call.method == "GET" and call.path.startswith("/api/v1/") and isinstance(route_of(call), APIRoute)
]


def test_no_call_that_reads_needs_the_scope_to_play():
    assert len(READING) > 80
    assert not [str(call) for call in READING if playing_program in dependencies(route_of(call).dependant)]


def test_calls_that_read_count_for_the_account_of_a_token():
    """Whatever looks at the network of the sender has looked at the token first, which may be invalid."""
    by_network = [call for call in READING if network_of in called_outside(unwrap(route_of(call).endpoint))]
    unasked = [call for call in by_network if asking_program not in dependencies(route_of(call).dependant)]
    assert not list(map(str, unasked))


@pytest.mark.parametrize("path", ["/teams", "/players", "/games/2222222222/review"])
def test_a_search_and_a_review_need_no_token_but_a_valid_one(server, path):
    url = f"{server.url}/api/v1{path}"
    assert plain_http.get(url).status_code in (200, 404)
    wrong = plain_http.get(url, headers={"Authorization": "Bearer gor_wrong"})
    assert_problem(wrong, 401, "unauthenticated")


def test_pages_take_no_tokens_not_even_where_a_form_gives_a_command_of_the_api():
    pages = [call for call in calls() if not call.path.startswith("/api/")]
    taken = {str(call) for call in pages if asking_program in dependencies(call.route.dependant)}
    assert taken == set()
