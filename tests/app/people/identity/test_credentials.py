"""Tokens and sessions: what they allow, when they expire, and what is refused."""

import pytest

from tests.support import plain_http
from tests.support.answers import assert_problem
from tests.support.players import fresh_name


def test_a_revoked_token_and_none_at_all_are_refused(program):
    assert program.http.get("/me").json() == {"username": program.username, "is_guest": False, "ratings": {}}
    assert program.http.delete("/tokens/current").status_code == 204
    assert_problem(program.http.get("/me"), 401, "unauthenticated")
    del program.http.headers["Authorization"]
    assert_problem(program.http.get("/me"), 401, "unauthenticated")


@pytest.mark.parametrize("token", ["nonsense", "é", "x" * 5000])
def test_malformed_tokens_are_refused(server, token):
    headers = {"Authorization": f"Bearer {token}".encode()}
    for method, path in (("GET", "/me"), ("POST", "/challenges"), ("DELETE", "/tokens/current")):
        answer = plain_http.request(method, f"{server.url}/api/v1{path}", headers=headers)
        assert_problem(answer, 401, "unauthenticated")
        assert answer.headers["www-authenticate"] == "Bearer"


def test_malformed_session_cookies_are_ignored(visitor):
    visitor.http.cookies.set("gorrion", fresh_name())
    assert visitor.http.get("/lobby").status_code == 200
    assert visitor.http.get("/account").url.path == "/login"
