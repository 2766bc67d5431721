"""The audit log: what is recorded, who sees it, and how long it is kept."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.people.identity.audit import BY_ADMINISTRATOR, OPERATOR, Action, Change, source_text
from app.people.identity.cleanup import delete_old_events
from app.people.identity.models import SecurityEvent
from app.site.accounts.views import event_row
from tests.security.keys import new_token
from tests.support.commands import json_lines
from tests.support.database import execute, fetch, on_database
from tests.support.players import Visitor, fresh_name
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[2]


def test_everything_that_protects_an_account_is_recorded(server, database_url, visitor):
    visitor.http.headers["X-Forwarded-For"] = "2001:db8:1:2::3"
    visitor.register()
    name = visitor.username
    new_token(visitor)
    visitor.http.post("/account/confirm", data={"password": "not that one"})
    visitor.http.post("/account/password", data={"new_password": "another long password"})
    json_lines(database_url, "grant", name, "organiser")
    json_lines(database_url, "revoke", name, "organiser")
    visitor.http.post("/account/computer")
    visitor.http.post("/logout")
    guess = {"username": name, "password": "not that one"}
    visitor.http.post("/login", data=guess)
    visitor.http.post("/login", data={**guess, "password": "another long password"})
    page = visitor.http.get("/account/security").text
    shown = ("Wrong password at a log-in", "Token created: bot", "2001:db8:1::/48", "the operator")
    shown += ("Right granted: organiser", "Right revoked: organiser")
    assert [text for text in shown if text not in page] == []
    visitor.http.post("/account/close")

    events = json_lines(database_url, "audit", name.upper())
    assert [event["action"] for event in reversed(events)] == [
        "registered",
        "token_created",
        "confirmation_failed",
        "password_changed",
        "right_granted",
        "right_revoked",
        "marked_as_computer",
        "logged_out",
        "login_failed",
        "logged_in",
        "account_closed",
    ]
    assert {event["network"] for event in events} == {"", "2001:db8:1::/48"}
    assert len(json_lines(database_url, "audit", name, "--last", "2")) == 2
    lines = wait_until(lambda: [line for line in audit_lines(server) if line["action"] == "account_closed"])
    assert lines[-1]["network"] == "2001:db8:1::/48"
    assert "2001:db8:1:2" not in server.log.read_text()


@pytest.mark.parametrize("action", [*Change, *Action])
def test_owners_read_what_is_recorded_about_their_accounts(action):
    event = SecurityEvent(action=str(action), detail="", network="", browser=OPERATOR.browser)
    assert event_row(event).text == action.words


def test_owners_read_of_administrators_neither_name_nor_network():
    by = replace(OPERATOR, network="192.0.2.7", browser=f"{BY_ADMINISTRATOR}wren")
    assert source_text(by.browser, by.shortened_network) == source_text(OPERATOR.browser, "")


def test_lines_are_found_by_a_former_name(database_url, visitor):
    visitor.register()
    former, present = visitor.username, fresh_name()
    execute(
        database_url,
        "WITH renamed AS (UPDATE accounts SET username = $2 WHERE username = $1 RETURNING id) "
        "INSERT INTO retired_names (name_hash, account_id) "
        "SELECT sha256(convert_to($1, 'UTF8')), id FROM renamed",
        former,
        present,
    )
    lines = json_lines(database_url, "audit", former)
    assert [(line["action"], line["account"]) for line in lines] == [("registered", present)]


def test_no_change_is_recorded_without_telling_the_owner():
    modules = [path for path in (ROOT / "app").rglob("*.py") if "record_change(" in path.read_text()]
    assert [str(path.relative_to(ROOT)) for path in sorted(modules)] == [
        "app/people/identity/audit.py",
        "app/people/mail/notices.py",
    ]


def audit_lines(server):
    return [json.loads(line) for line in server.log.read_text().splitlines() if '"event": "audit"' in line]


def test_guesses_at_names_that_nobody_has_are_recorded_without_the_name(server, database_url):
    stranger, name = Visitor(server), fresh_name()
    stranger.http.post("/login", data={"username": name, "password": "not that one"})
    event = json_lines(database_url, "audit", "--last", "1")[0]
    assert (event["action"], event["account"], event["network"]) == ("login_failed", None, "127.0.0.0/24")
    assert name not in server.log.read_text()


def test_a_line_of_the_request_log_names_the_account_and_the_outcome(server, program):
    refused = program.http.post("/challenges", json={"game": "chess"})
    request_id = refused.headers["x-request-id"]
    (line,) = wait_until(lambda: [line for line in requests(server) if line["request_id"] == request_id])
    assert isinstance(line["account"], int)
    assert (line["status"], line["error"]) == (422, refused.json()["code"])


def requests(server):
    text = server.log.read_text()
    return [json.loads(line) for line in text.splitlines() if '"event": "request"' in line]


def test_lines_are_deleted_after_half_a_year(server, database_url, visitor):
    visitor.register()
    old = "UPDATE security_events SET at = now() - interval '181 days' WHERE id = (SELECT min(id) FROM {})"
    execute(database_url, old.format("security_events"))
    on_database(database_url, delete_old_events)
    count = "SELECT count(*) FROM security_events WHERE at < now() - interval '180 days'"
    assert fetch(database_url, count)[0] == 0
    assert fetch(database_url, "SELECT count(*) FROM security_events")[0] > 0
