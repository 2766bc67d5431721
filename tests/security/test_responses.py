"""What answers contain: only what their schema lists, and never a secret."""

import json

from tests.support import plain_http
from tests.support.application import application
from tests.support.database import fetch
from tests.support.players import fresh_name

SECRETS = ("password_hash", "token_hash", "closed_at", "rights", "preferences", "network", "browser")


def test_no_schema_of_an_answer_has_a_secret():
    description = application().openapi()
    answers = [
        content.get("schema", {})
        for operations in description["paths"].values()
        for operation in operations.values()
        for answer in operation["responses"].values()
        for content in answer.get("content", {}).values()
    ]
    assert len(answers) > 100
    text = json.dumps([answers, description["components"]["schemas"]])
    assert [secret for secret in SECRETS if f'"{secret}"' in text] == []


def test_profiles_show_nothing_but_what_is_public(program):
    profile = program.http.get(f"/players/{program.username}").text
    assert [secret for secret in SECRETS if secret in profile] == []


def test_nobody_has_an_account_on_a_new_server(new_database):
    real = "computer_level IS NULL OR password_hash LIKE '$argon2%'"
    query = f"SELECT count(*) AS number FROM accounts WHERE {real}"
    assert fetch(new_database("fresh"), query)["number"] == 0


def test_an_unknown_player_and_a_bad_name_look_alike(server):
    answers = [
        plain_http.get(f"{server.url}/api/v1/players/{name}")
        for name in (fresh_name(), "no%20name", "%00", "x" * 99)
    ]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(404, "not_found")}
