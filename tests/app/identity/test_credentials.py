"""Tokens and sessions: what they allow, and what is not one."""

import httpx
import pytest

from tests.support.answers import assert_problem, code
from tests.support.players import PASSWORD, Program, Visitor, fresh_name


def test_a_token_to_look_may_not_play(server, program):
    body = {"username": program.username, "password": "quite a long password", "scopes": ["read"]}
    token = program.http.post("/tokens", json=body).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{server.url}/api/v1/me", headers=headers).json()["username"] == program.username
    refused = httpx.post(f"{server.url}/api/v1/challenges", headers=headers, json={"game": "jadejack"})
    assert code(refused) == (403, "missing_scope")


def test_an_expired_token_is_refused(server, program, clock):
    body = {"username": program.username, "password": "quite a long password", "expires_in_days": 1}
    token = program.http.post("/tokens", json=body).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert httpx.get(f"{server.url}/api/v1/me", headers=headers).status_code == 200
    clock.advance(days=1)
    assert code(httpx.get(f"{server.url}/api/v1/me", headers=headers)) == (401, "unauthenticated")


def test_tokens(server):
    program = Program(server)
    assert program.http.get("/me").json() == {"username": program.username, "is_guest": False, "ratings": {}}
    assert program.http.delete("/tokens/current").status_code == 204
    assert_problem(program.http.get("/me"), 401, "unauthenticated")
    del program.http.headers["Authorization"]
    assert_problem(program.http.get("/me"), 401, "unauthenticated")


def test_a_token_without_the_scope_only_reads(server, match):
    http = match.black.http
    token = http.post(
        "/tokens", json={"username": match.black.username, "password": "quite a long password", "scopes": []}
    ).json()["token"]
    http.headers["Authorization"] = f"Bearer {token}"
    assert http.get("/me").status_code == 200
    assert_problem(match.black.move(match.id, "c4", 0), 403, "missing_scope")


@pytest.mark.parametrize("token", ["nonsense", "é", "x" * 5000])
def test_a_token_that_is_none(server, token):
    headers = {"Authorization": f"Bearer {token}".encode()}
    for method, path in (("GET", "/me"), ("POST", "/challenges"), ("DELETE", "/tokens/current")):
        answer = httpx.request(method, f"{server.url}/api/v1{path}", headers=headers)
        assert answer.status_code == 401, answer.text
        assert answer.json()["code"] == "unauthenticated"
        assert answer.headers["www-authenticate"] == "Bearer"


def test_a_token_that_may_not_play(server):
    program = Program(server)
    made = program.http.post(
        "/tokens", json={"username": program.username, "password": PASSWORD, "name": "reader", "scopes": []}
    )
    program.http.headers["Authorization"] = f"Bearer {made.json()['token']}"
    assert program.http.get("/me").json()["username"] == program.username
    refused = program.challenge()
    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")


def test_a_session_that_is_none(server):
    visitor = Visitor(server)
    visitor.http.cookies.set("gorrion", fresh_name())
    assert visitor.http.get("/lobby").status_code == 200
    assert visitor.http.get("/account").url.path == "/login"
