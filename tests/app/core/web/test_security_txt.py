"""The contact for reports of vulnerabilities."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from app.core.settings import Settings
from tests.support import plain_http
from tests.support.server import start_server

PATH = "/.well-known/security.txt"


def test_a_server_without_a_contact_has_no_security_txt(server):
    assert plain_http.get(f"{server.url}{PATH}").status_code == 404


def test_security_txt_has_the_contact_and_an_expiry_to_come(database_url):
    server = start_server(database_url, security_contact="mailto:security@play.example")
    try:
        answer = plain_http.get(f"{server.url}{PATH}")
    finally:
        server.stop()
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert answer.headers["content-type"].startswith("text/plain")
    assert fields["Contact"] == "mailto:security@play.example"
    assert datetime.fromisoformat(fields["Expires"]) > datetime.now(UTC)


def test_a_contact_is_an_address_that_programs_can_use():
    with pytest.raises(ValidationError):
        Settings(security_contact="the operator")
