"""Addresses: confirmed by a link, used to choose a new password, removed, and refused by their servers."""

import re
import secrets

import pytest

from app.core.web.forms import KEY_FIELD
from tests.support.answers import assert_error_page, code
from tests.support.database import execute, fetch
from tests.support.mail import html_of, links_of, text_of
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.second_factor import answer, begin, set_up
from tests.support.waiting import wait_until

NEW_PASSWORD = "an entirely new password"
FORM_KEY = re.compile(rf'name="{KEY_FIELD}" value="[^"]+"')  # another one on each page


@pytest.fixture
def owner(site):
    """Return a browser whose user has an account without an address."""
    owner = Visitor(site).register()
    owner.address = f"{secrets.token_hex(6)}@example.com"
    return owner


def enter(owner, address=None):
    return owner.http.post("/email", data={"email": address or owner.address})


def link_in_next(mail_server, send, address, page, number=1):
    """Send what is due, and return the `number`th link to a page that was mailed to an address."""
    send()
    return wait_until(lambda: links_to(mail_server, address, page)[number - 1 :])[0]


def links_to(mail_server, address, page):
    paths = (path for message in mail_server.to(address) for path in links_of(message))
    return [path for path in paths if path.startswith(f"{page}?token=")]


def confirm(owner, mail_server, send):
    """Enter an address and open the link that is sent to it."""
    number = len(links_to(mail_server, owner.address, "/email/confirm")) + 1
    enter(owner)
    link = link_in_next(mail_server, send, owner.address, "/email/confirm", number)
    assert "Is the account" in owner.http.get(link).text
    token = link.partition("token=")[2]
    return owner.http.post("/email/confirm", data={"token": token})


def bearer_of(owner):
    """Return the header by which a program of the owner is known."""
    credentials = {"username": owner.username, "password": PASSWORD}
    token = owner.http.post("/api/v1/tokens", json=credentials).json()["token"]
    return {"Authorization": f"Bearer {token}"}


def ask_for_reset(site, address):
    return Visitor(site).http.post("/password/forgot", data={"email": address})


def test_an_address_is_confirmed_by_the_link_that_the_site_sends(owner, mail_server):
    assert "is not confirmed yet" in enter(owner).text
    message = mail_server.next_to(owner.address)  # without help: the schedule of the site sends it
    assert message["Subject"] == "Confirm your e-mail address"
    assert message["From"] == "Gorrion <noreply@example.com>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["List-Unsubscribe"] is None
    assert owner.username in text_of(message)
    assert owner.username in html_of(message)
    [link] = [path for path in links_of(message) if path.startswith("/email/confirm")]
    assert "Is the account" in owner.http.get(link).text
    assert "is not confirmed yet" in owner.http.get("/email").text  # following the link is not enough
    token = {"token": link.partition("token=")[2]}
    assert "is confirmed" in owner.http.post("/email/confirm", data=token).text
    assert "Your address is" in owner.http.get("/email").text
    assert_error_page(owner.http.post("/email/confirm", data=token), 410)


def test_only_the_newest_link_of_the_last_address_confirms_it(owner, mail_server, send):
    enter(owner)
    first = link_in_next(mail_server, send, owner.address, "/email/confirm")
    other = f"{secrets.token_hex(6)}@example.com"
    enter(owner, other)
    last = link_in_next(mail_server, send, other, "/email/confirm")
    assert_error_page(owner.http.get(first), 410)
    assert owner.http.post("/email/confirm", data={"token": last.partition("token=")[2]}).status_code == 200
    assert other in owner.http.get("/email").text


@pytest.mark.parametrize(
    "address",
    [
        "wren",
        "wren@",
        "a@b@c.example.com",
        "wren@example.com\r\nBcc: all@example.com",
        "wren@exa mple.com",
        "x" * 300,
    ],
)
def test_what_is_no_address_is_refused(owner, address):
    answer = enter(owner, address)
    assert_error_page(answer, 422)
    assert 'id="error-email"' in answer.text


def test_a_new_password_ends_all_sessions_and_its_link_works_once(site, owner, mail_server, send):
    confirm(owner, mail_server, send)
    bearer = bearer_of(owner)
    assert ask_for_reset(site, owner.address.upper()).status_code == 200
    link = link_in_next(mail_server, send, owner.address, "/password/reset")
    assert "Choose a new password" in [message["Subject"] for message in mail_server.to(owner.address)]
    stranger = Visitor(site)
    assert f"New password for {owner.username}" in stranger.http.get(link).text
    form = {"token": link.partition("token=")[2], "new_password": "short"}
    assert_error_page(stranger.http.post("/password/reset", data=form), 422)
    form["new_password"] = NEW_PASSWORD
    assert stranger.http.post("/password/reset", data=form).url.path == "/login"
    assert owner.username not in owner.http.get("/lobby").text
    assert owner.http.get("/api/v1/me", headers=bearer).status_code == 200  # tokens end only if asked
    assert_error_page(stranger.http.post("/password/reset", data=form), 410)
    log_in = {"username": owner.username, "password": NEW_PASSWORD}
    assert owner.username in stranger.http.post("/login", data=log_in).text


def test_a_reset_may_end_tokens_and_its_link_expires(site, owner, mail_server, send, clock):
    confirm(owner, mail_server, send)
    bearer = bearer_of(owner)
    for number, (minutes, status) in enumerate(((11, 410), (9, 200)), 1):
        ask_for_reset(site, owner.address)
        link = link_in_next(mail_server, send, owner.address, "/password/reset", number)
        clock.advance(minutes=minutes)
        form = {"token": link.partition("token=")[2], "new_password": NEW_PASSWORD, "revoke_tokens": "true"}
        assert Visitor(site).http.post("/password/reset", data=form).status_code == status
    assert owner.http.get("/api/v1/me", headers=bearer).status_code == 401


def test_a_link_for_a_new_password_ends_when_the_password_is_changed(site, owner, mail_server, send):
    confirm(owner, mail_server, send)
    ask_for_reset(site, owner.address)
    link = link_in_next(mail_server, send, owner.address, "/password/reset")
    change = {"current_password": PASSWORD, "new_password": NEW_PASSWORD}
    changed = owner.http.post("/api/v1/me/password", json=change, headers=bearer_of(owner))
    assert changed.status_code == 204
    assert_error_page(Visitor(site).http.get(link), 410)


def test_a_link_for_a_new_password_ends_when_another_address_is_confirmed(site, owner, mail_server, send):
    confirm(owner, mail_server, send)
    ask_for_reset(site, owner.address)
    link = link_in_next(mail_server, send, owner.address, "/password/reset")
    owner.address = f"{secrets.token_hex(6)}@example.com"
    confirm(owner, mail_server, send)
    assert_error_page(Visitor(site).http.get(link), 410)


def test_a_reset_ends_log_ins_that_wait_for_a_code(site, owner, mail_server, send):
    confirm(owner, mail_server, send)
    _, codes = set_up(owner)
    browser, pending = begin(site, owner)
    ask_for_reset(site, owner.address)
    link = link_in_next(mail_server, send, owner.address, "/password/reset")
    form = {"token": link.partition("token=")[2], "new_password": NEW_PASSWORD}
    assert Visitor(site).http.post("/password/reset", data=form).status_code == 200
    assert answer(browser, pending, codes[0]).status_code == 401


def test_nobody_learns_whether_an_address_has_an_account(site, owner, mail_server, send):
    confirm(owner, mail_server, send)
    known, unknown = ask_for_reset(site, owner.address), ask_for_reset(site, f"not-{owner.address}")
    assert known.status_code == unknown.status_code
    assert FORM_KEY.sub("", known.text) == FORM_KEY.sub("", unknown.text)
    send()
    link_in_next(mail_server, send, owner.address, "/password/reset")
    assert mail_server.to(f"not-{owner.address}") == []


def test_an_address_that_its_server_refuses_gets_no_more_mail(site, owner, mail_server, send):
    confirm(owner, mail_server, send)
    mail_server.refusals[owner.address] = "550 No such user"
    Program(site).challenge(opponent=owner.username)
    ask_for_reset(site, owner.address)
    send()  # unless the site is sending it just now
    wait_until(lambda: "An e-mail to this address bounced" in owner.http.get("/email").text)
    del mail_server.refusals[owner.address]
    Program(site).challenge(opponent=owner.username)
    send()
    assert len(mail_server.to(owner.address)) == 1, "only the link to confirm it"
    confirm(owner, mail_server, send)
    assert "come back" not in owner.http.get("/email").text


def test_an_address_is_removed_by_its_owner_and_with_the_account(owner, mail_server, mail_database, send):
    confirm(owner, mail_server, send)
    owner.http.post("/email/remove")
    assert owner.address not in owner.http.get("/email").text
    confirm(owner, mail_server, send)
    owner.http.post("/account/close")
    count = "SELECT count(*) FROM email_addresses WHERE address = $1"
    assert fetch(mail_database, count, owner.address)[0] == 0


def test_a_site_without_a_mail_server_offers_no_mail(visitor):
    visitor.register()
    for path in ("/email", "/password/forgot", "/unsubscribe", "/email/confirm"):
        assert_error_page(visitor.http.get(path), 404)
    assert "E-mail" not in visitor.http.get("/account").text
    assert "By e-mail" not in visitor.http.get("/notifications/settings").text
    visitor.http.post("/logout")
    assert "Forgotten" not in visitor.http.get("/login").text


def test_a_program_sets_and_removes_the_address_with_the_password(site, mail_server, send):
    program = Program(site)
    address = f"{secrets.token_hex(6)}@example.com"
    assert code(program.http.put("/me/email", json={"email": address, "password": "wrong"})) == (
        422,
        "wrong_password",
    )
    body = {"email": address, "password": PASSWORD}
    assert code(program.http.put("/me/email", json={**body, "email": "nowhere"})) == (422, "bad_email")
    assert program.http.put("/me/email", json=body).status_code == 202
    assert program.http.get("/me/email").json() == {"email": None, "unconfirmed": address}
    token = link_in_next(mail_server, send, address, "/email/confirm").partition("token=")[2]
    assert Visitor(site).http.post("/email/confirm", data={"token": token}).status_code == 200
    assert program.http.get("/me/email").json() == {"email": address, "unconfirmed": None}
    removed = program.http.request("DELETE", "/me/email", json={"password": PASSWORD})
    assert removed.status_code == 204
    assert program.http.get("/me/email").json() == {"email": None, "unconfirmed": None}


def test_a_mail_that_cannot_be_read_is_dropped_and_holds_up_no_other(
    site, owner, mail_server, mail_database, send
):
    for damage in ('"damaged"', "{}", '{"address": 1}'):
        execute(
            mail_database,
            "INSERT INTO deliveries (channel, kind, data) "
            "VALUES ('email', 'reset_password', $1::text::jsonb)",
            damage,
        )
    confirm(owner, mail_server, send)
    assert "mail_failed" not in site.log.read_text()
    kept = (
        "SELECT count(*) FROM deliveries WHERE kind = 'reset_password' AND data IN ('{}', '{\"address\": 1}')"
    )
    assert fetch(mail_database, kept)[0] == 0
