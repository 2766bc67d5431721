"""Tokens and sessions: what they allow, when they expire, and what is refused."""

import httpx
import pytest

from tests.support.answers import assert_problem
from tests.support.players import PASSWORD, Match, fresh_name


def issue_token(program, **members):
    body = {"username": program.username, "password": PASSWORD, **members}
    return program.http.post("/tokens", json=body).json()["token"]


def test_a_revoked_token_and_none_at_all_are_refused(program):
    assert program.http.get("/me").json() == {"username": program.username, "is_guest": False, "ratings": {}}
    assert program.http.delete("/tokens/current").status_code == 204
    assert_problem(program.http.get("/me"), 401, "unauthenticated")
    del program.http.headers["Authorization"]
    assert_problem(program.http.get("/me"), 401, "unauthenticated")


def test_an_expired_token_is_refused(program, clock):
    program.http.headers["Authorization"] = f"Bearer {issue_token(program, expires_in_days=1)}"
    assert program.http.get("/me").status_code == 200
    clock.advance(days=1)
    assert_problem(program.http.get("/me"), 401, "unauthenticated")


@pytest.mark.parametrize("scopes", [[], ["read"]])
def test_a_token_without_the_scope_only_reads(server, scopes):
    match = Match(server)
    program = match.black
    program.http.headers["Authorization"] = f"Bearer {issue_token(program, scopes=scopes, name='reader')}"
    assert program.http.get("/me").json()["username"] == program.username
    assert_problem(program.move(match.id, "c4", 0), 403, "missing_scope")
    assert_problem(program.challenge(), 403, "missing_scope")


@pytest.mark.parametrize("token", ["nonsense", "é", "x" * 5000])
def test_malformed_tokens_are_refused(server, token):
    headers = {"Authorization": f"Bearer {token}".encode()}
    for method, path in (("GET", "/me"), ("POST", "/challenges"), ("DELETE", "/tokens/current")):
        answer = httpx.request(method, f"{server.url}/api/v1{path}", headers=headers)
        assert_problem(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_malformed_session_cookies_are_ignored(visitor):
    visitor.http.cookies.set("gorrion", fresh_name())
    assert visitor.http.get("/lobby").status_code == 200
    assert visitor.http.get("/account").url.path == "/login"


def test_an_expired_session_is_logged_out(visitor, clock):
    visitor.register()
    assert visitor.http.get("/account").url.path == "/account"
    clock.advance(days=90)
    assert visitor.http.get("/account").url.path == "/login"
