"""Passkeys: what logs in, and what does not."""

import re

import pytest

from tests.security.keys import is_known, session_of
from tests.support.database import execute
from tests.support.passkeys import SoftPasskey
from tests.support.players import PASSWORD, Visitor


def add(visitor, passkey, name="my phone", origin=None):
    """Register a passkey on the page of an account and return the answer."""
    options = visitor.http.post("/account/passkeys/options").json()
    made = passkey.register(options, origin or visitor.server.url)
    return visitor.http.post("/account/passkeys", data={"passkey_name": name, "credential": made})


def log_in(visitor, credential, page="/login/passkey"):
    form = {"credential": credential, "next": "/watch"}
    return visitor.http.post(page, data=form, follow_redirects=False)


def options(visitor, page="/login/passkey"):
    return visitor.http.post(f"{page}/options").json()


@pytest.fixture
def owner(visitor):
    return visitor.register()


@pytest.fixture
def passkey(owner):
    passkey = SoftPasskey()
    assert "Passkey added" in add(owner, passkey).text
    return passkey


def test_a_passkey_logs_in_without_a_name_and_is_listed_with_its_last_use(server, owner, passkey):
    assert "never used" in owner.http.get("/account/security").text
    elsewhere = Visitor(server)
    answer = log_in(elsewhere, passkey.answer(options(elsewhere), server.url))
    assert answer.headers["location"] == "/watch"
    page = elsewhere.http.get("/account/security").text
    assert owner.username in page
    assert "my phone" in page
    assert "Logged in: my phone" in page
    assert "never used" not in page


def test_a_challenge_is_answered_once_and_within_five_minutes(server, owner, passkey, clock):
    elsewhere = Visitor(server)
    credential = passkey.answer(options(elsewhere), server.url)
    assert log_in(elsewhere, credential).status_code == 303
    assert log_in(Visitor(server), credential).status_code == 422
    late = passkey.answer(options(elsewhere), server.url)
    clock.advance(minutes=5)
    assert log_in(Visitor(server), late).status_code == 422


def test_a_failed_answer_uses_the_challenge_up(server, owner, passkey):
    elsewhere = Visitor(server)
    challenge = options(elsewhere)
    assert log_in(elsewhere, SoftPasskey().answer(challenge, server.url)).status_code == 422
    assert log_in(elsewhere, passkey.answer(challenge, server.url)).status_code == 422


def test_another_site_an_unverified_user_and_a_copied_key_are_refused(server, owner, passkey):
    elsewhere = Visitor(server)
    foreign = passkey.answer(options(elsewhere), "https://evil.example")
    assert log_in(elsewhere, foreign).status_code == 422
    other_host = passkey.answer({**options(elsewhere), "rpId": "evil.example"}, server.url)
    assert log_in(elsewhere, other_host).status_code == 422
    assert add(owner, SoftPasskey(verified=False)).status_code == 422
    assert add(owner, SoftPasskey(), origin="https://evil.example").status_code == 422
    assert log_in(elsewhere, passkey.answer(options(elsewhere), server.url)).status_code == 303
    passkey.uses -= 1  # a copy that was made before
    refused = log_in(elsewhere, passkey.answer(options(elsewhere), server.url))
    assert refused.status_code == 422
    assert "was not accepted" in refused.text


def test_a_passkey_belongs_to_one_account_and_can_be_revoked(server, owner, passkey):
    other = Visitor(server).register()
    assert add(other, passkey).status_code == 422
    (handle,) = re.findall(r"/account/passkeys/(\w+)/revoke", owner.http.get("/account/security").text)
    assert other.http.post(f"/account/passkeys/{handle}/revoke").status_code == 404
    assert "Revoked" in owner.http.post(f"/account/passkeys/{handle}/revoke").text
    assert log_in(other, passkey.answer(options(other), server.url)).status_code == 422


def test_an_account_has_at_most_ten_passkeys(database_url, owner, passkey):
    execute(
        database_url,
        "INSERT INTO passkeys "
        "SELECT sha256((account_id || '-' || number)::bytea), account_id, public_key, 0, 'copy' "
        "FROM passkeys JOIN accounts ON id = account_id, generate_series(1, 9) number "
        "WHERE username = $1",
        owner.username,
    )
    refused = add(owner, SoftPasskey())
    assert refused.status_code == 409
    assert "You have 10 passkeys" in refused.text


def test_a_passkey_opens_no_closed_account(server, owner, passkey):
    owner.http.post("/account/close")
    elsewhere = Visitor(server)
    assert log_in(elsewhere, passkey.answer(options(elsewhere), server.url)).status_code == 422


def test_changes_need_a_confirmation_by_the_password_or_a_passkey(server, owner, passkey, clock):
    assert owner.http.get("/account/security").url.path == "/account/security"
    clock.advance(minutes=10)
    asked = owner.http.get("/account/security")
    assert (asked.url.path, asked.url.params["next"]) == ("/account/confirm", "/account/security")
    for path in ("password", "tokens", "passkeys", "passkeys/options", "close"):
        assert owner.http.post(f"/account/{path}").url.path == "/account/confirm", path
    assert is_known(server, session_of(owner))
    confirm = {"next": "/account/security"}
    wrong = owner.http.post("/account/confirm", data={**confirm, "password": "not that one"})
    assert wrong.status_code == 422
    confirmed = owner.http.post("/account/confirm", data={**confirm, "password": PASSWORD})
    assert confirmed.url.path == "/account/security"
    clock.advance(minutes=10)
    page = "/account/confirm/passkey"
    other = Visitor(server).register()
    stolen = passkey.answer(options(other, page), server.url)
    assert log_in(other, stolen, page).status_code == 422
    of_visitor = passkey.answer(options(other), server.url)
    assert log_in(owner, of_visitor, page).status_code == 422
    assert log_in(owner, passkey.answer(options(owner, page), server.url), page).status_code == 303
    assert owner.http.get("/account/security").url.path == "/account/security"


def test_guests_have_no_passkeys(visitor):
    visitor.http.post("/guest")
    assert visitor.http.get("/account/security").status_code == 403
    assert visitor.http.post("/account/passkeys/options").status_code == 403
    assert visitor.http.post("/account/confirm", data={"password": PASSWORD}).status_code == 403


@pytest.mark.parametrize(
    "credential",
    ["", "{}", "[]", "null", "[" * 16_000, '{"id": 1}', "x" * 20_000, '{"id":"a","rawId":"!","response":{}}'],
)
def test_malformed_answers_are_refused(owner, credential):
    assert log_in(owner, credential).status_code == 422
    form = {"passkey_name": "phone", "credential": credential}
    assert owner.http.post("/account/passkeys", data=form).status_code == 422
