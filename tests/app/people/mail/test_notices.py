"""Owners are told of each change of what protects their accounts, at the address before, and can undo one."""

import re
import secrets

import pytest

from app.people.identity.audit import Change
from tests.security.keys import is_known, new_token, session_of, status_of
from tests.support.accounts import give_address, id_of
from tests.support.answers import assert_error_page
from tests.support.database import execute, fetch
from tests.support.mail import links_of, text_of
from tests.support.moderation import make_moderator
from tests.support.passkeys import SoftPasskey
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.second_factor import answer, begin, set_up
from tests.support.waiting import wait_until

NEW_PASSWORD = "an entirely new password"


@pytest.fixture
def owner(site, mail_database):
    """Return a browser whose user has an account with a confirmed address."""
    owner = Visitor(site).register()
    owner.address = fresh_address()
    owner.id = id_of(mail_database, owner)
    give_address(mail_database, owner, owner.address)
    return owner


def fresh_address():
    return f"{secrets.token_hex(6)}@example.com"


class Mailbox:
    """What a site mails; `link` sends what is due, and returns the last link to a page."""

    def __init__(self, server, send):
        self._server, self._send = server, send

    def links(self, address, page):
        paths = [path for message in self._server.to(address) for path in links_of(message)]
        return [path for path in paths if path.startswith(f"{page}?token=")]

    def link(self, address, page, number=1):
        self._send()
        return wait_until(lambda: self.links(address, page)[number - 1 :])[0]

    def subjects(self, address):
        self._send()
        return [message["Subject"] for message in self._server.to(address)]


@pytest.fixture
def mailbox(mail_server, send):
    return Mailbox(mail_server, send)


def token_in(link):
    return {"token": link.partition("token=")[2]}


def move_address(owner, mailbox, address):
    """Enter another address in a browser, and confirm it."""
    owner.http.post("/email", data={"email": address})
    link = mailbox.link(address, "/email/confirm")
    assert Visitor(owner.server).http.post("/email/confirm", data=token_in(link)).status_code == 200


def add_passkey(owner, passkey):
    options = owner.http.post("/account/passkeys/options").json()
    made = passkey.register(options, owner.server.url)
    added = owner.http.post("/account/passkeys", data={"passkey_name": "a key", "credential": made})
    assert "Passkey added" in added.text


def press(owner, pattern):
    """Press the button of the security page whose form leads to a path like a pattern."""
    owner.http.post(re.search(pattern, owner.http.get("/account/security").text)[0])


def reset_password(owner, mailbox):
    Visitor(owner.server).http.post("/password/forgot", data={"email": owner.address})
    link = mailbox.link(owner.address, "/password/reset")
    form = {**token_in(link), "new_password": NEW_PASSWORD}
    assert Visitor(owner.server).http.post("/password/reset", data=form).status_code == 200


def use_recovery_code(owner, _mailbox):
    _, codes = set_up(owner)
    browser, pending = begin(owner.server, owner)
    assert answer(browser, pending, codes[0]).status_code == 303


def revoke_passkey(owner, _mailbox):
    add_passkey(owner, SoftPasskey())
    press(owner, r"/account/passkeys/\w+/revoke")


def revoke_token(owner, _mailbox):
    new_token(owner)
    press(owner, r"/account/keys/\w+/revoke")


def undo_removal(owner, mailbox):
    owner.http.post("/email/remove")
    link = mailbox.link(owner.address, "/email/undo")
    Visitor(owner.server).http.post("/email/undo", data=token_in(link))


def remove_second_factor(owner, _mailbox):
    set_up(owner)
    owner.http.post("/account/second-factor/remove")


MADE_BY = {
    Change.PASSWORD_CHANGED: lambda owner, _: owner.http.post(
        "/account/password", data={"new_password": NEW_PASSWORD}
    ),
    Change.PASSWORD_RESET: reset_password,
    Change.SECOND_FACTOR_ADDED: lambda owner, _: set_up(owner),
    Change.SECOND_FACTOR_REMOVED: remove_second_factor,
    Change.RECOVERY_CODES_MADE: lambda owner, _: owner.http.post("/account/recovery-codes"),
    Change.RECOVERY_CODE_USED: use_recovery_code,
    Change.PASSKEY_ADDED: lambda owner, _: add_passkey(owner, SoftPasskey()),
    Change.PASSKEY_REVOKED: revoke_passkey,
    Change.EMAIL_ENTERED: lambda owner, _: owner.http.post("/email", data={"email": fresh_address()}),
    Change.EMAIL_CONFIRMED: lambda owner, mailbox: move_address(owner, mailbox, fresh_address()),
    Change.EMAIL_REMOVED: lambda owner, _: owner.http.post("/email/remove"),
    Change.EMAIL_RESTORED: undo_removal,
    Change.TOKEN_CREATED: lambda owner, _: new_token(owner),
    Change.KEY_REVOKED: revoke_token,
    Change.ACCOUNT_CLOSED: lambda owner, _: owner.http.post("/account/close"),
}
UNDONE_BY_LINK = {Change.EMAIL_CONFIRMED, Change.EMAIL_REMOVED, Change.ACCOUNT_CLOSED}


@pytest.mark.parametrize("change", Change)
def test_the_owner_is_told_of_each_change_in_the_list_and_at_the_address_before(
    owner, mailbox, mail_server, mail_database, change
):
    MADE_BY[change](owner, mailbox)
    query = "SELECT count(*) FROM notifications WHERE account_id = $1 AND data->>'change' = $2"
    assert fetch(mail_database, query, owner.id, change)["count"] == 1
    if change == Change.EMAIL_RESTORED:  # the account had no address any more
        return
    told = f"Your account: {change.words}"
    wait_until(lambda: any(subject.startswith(told) for subject in mailbox.subjects(owner.address)))
    [message] = [each for each in mail_server.to(owner.address) if each["Subject"].startswith(told)]
    text = text_of(message)
    assert owner.username in text
    assert " UTC, from A browser, 127.0.0.0/24." in text
    assert message["List-Unsubscribe"] is None
    assert [path for path in links_of(message) if path.startswith("/account/security")] != []
    assert bool(mailbox.links(owner.address, "/email/undo")) is (change in UNDONE_BY_LINK)


REMOVED_BY = {
    Change.SECOND_FACTOR_REMOVED: "/account/second-factor/remove",
    Change.EMAIL_REMOVED: "/email/remove",
}


def test_each_removal_is_tried_twice():
    assert REMOVED_BY.keys() == {change for change in Change if change.name.endswith("_REMOVED")}


@pytest.mark.parametrize("change", REMOVED_BY)
def test_removing_what_is_not_there_is_no_change(owner, mailbox, mail_database, change):
    MADE_BY[change](owner, mailbox)
    assert owner.http.post(REMOVED_BY[change]).is_success
    for query in (
        "SELECT count(*) FROM notifications WHERE account_id = $1 AND data->>'change' = $2",
        "SELECT count(*) FROM security_events WHERE account_id = $1 AND action = $2",
    ):
        assert fetch(mail_database, query, owner.id, change)["count"] == 1


def test_the_mail_is_in_the_language_of_its_reader(owner, mailbox, mail_database):
    execute(mail_database, "UPDATE email_addresses SET language = 'de' WHERE account_id = $1", owner.id)
    owner.http.post("/account/password", data={"new_password": NEW_PASSWORD})
    wait_until(lambda: any("Passwort" in subject for subject in mailbox.subjects(owner.address)))


@pytest.mark.parametrize("switches", [{}, {"challenge": "off", "my_turn": "off"}])
def test_no_switch_turns_these_mails_off(owner, mailbox, switches):
    bearer = {"Authorization": f"Bearer {new_token(owner)}"}
    owner.http.put("/api/v1/me/notifications", json={"email": switches}, headers=bearer)
    owner.http.post("/account/password", data={"new_password": NEW_PASSWORD})
    wait_until(lambda: "Your account: Password changed" in mailbox.subjects(owner.address))


def test_a_change_of_address_is_undone_whatever_a_thief_did_after_it(
    site, owner, mailbox, mail_database, clock
):
    thief = Visitor(site).log_in(owner.username)
    passkey = SoftPasskey()
    add_passkey(thief, passkey)
    set_up(thief)
    token, session = new_token(thief), session_of(thief)
    others = [fresh_address(), fresh_address()]
    for other in others:
        move_address(thief, mailbox, other)
    thief.http.post("/email/remove")
    thief.http.post("/email", data={"email": fresh_address()})
    clock.advance(days=6)

    link = mailbox.link(owner.address, "/email/undo")
    reader = Visitor(site)
    page = reader.http.get(link)
    assert owner.address in page.text
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["x-robots-tag"] == "noindex"
    assert is_known(site, session), "reading the link undoes nothing"
    form = reader.http.post("/email/undo", data=token_in(link))
    assert f"New password for {owner.username}" in form.text

    assert not is_known(site, session)
    assert status_of(site, token) == 401
    log_in = {"username": owner.username, "password": PASSWORD}
    assert reader.http.post("/login", data=log_in).status_code == 401
    chosen = {**token_in(str(form.url)), "new_password": NEW_PASSWORD}
    assert reader.http.post("/password/reset", data=chosen).url.path == "/login"
    entered = reader.http.post("/login", data={**log_in, "password": NEW_PASSWORD}, follow_redirects=False)
    assert entered.status_code == 303, "without the second factor of the thief"
    assert entered.headers["location"] == "/lobby"
    assert owner.address in reader.http.get("/email").text
    assert "is not confirmed yet" not in reader.http.get("/email").text
    count = "SELECT count(*) FROM passkeys WHERE account_id = $1"
    assert fetch(mail_database, count, owner.id)["count"] == 0
    for other in others:
        assert_error_page(reader.http.get(mailbox.link(other, "/email/undo")), 410)
    assert_error_page(reader.http.post("/email/undo", data=token_in(link)), 410)


def test_what_protected_the_account_long_before_the_change_stays(site, owner, mailbox, clock):
    _, codes = set_up(owner)
    clock.advance(days=8)
    owner.http.post("/account/confirm", data={"password": PASSWORD})
    owner.http.post("/email/remove")
    link = mailbox.link(owner.address, "/email/undo")
    form = Visitor(site).http.post("/email/undo", data=token_in(link))
    chosen = {**token_in(str(form.url)), "new_password": NEW_PASSWORD}
    Visitor(site).http.post("/password/reset", data=chosen)
    browser, pending = begin(site, owner, NEW_PASSWORD)
    assert answer(browser, pending, codes[0]).status_code == 303


def test_a_link_to_undo_a_change_expires_after_a_week(site, owner, mailbox, clock):
    owner.http.post("/email/remove")
    link = mailbox.link(owner.address, "/email/undo")
    assert Visitor(site).http.get(link).status_code == 200
    clock.advance(days=7)
    page = Visitor(site).http.get(link)
    assert_error_page(page, 410)
    assert "older than a week" in page.text


@pytest.mark.parametrize(
    ("form", "comes_back"), [({}, False), ({"erase": "true"}, False), ({"erase": "true"}, True)]
)
def test_a_thief_who_closes_an_account_takes_it_from_its_owner_for_a_week_at_most(
    site, owner, mailbox, form, comes_back
):
    Visitor(site).log_in(owner.username).http.post("/account/close", data=form)
    assert "This account was closed." in Visitor(site).http.get(f"/players/{owner.username}").text
    if comes_back:
        Visitor(site).log_in(owner.username)
    link = mailbox.link(owner.address, "/email/undo")
    reader = Visitor(site)
    assert owner.address in reader.http.get(link).text
    form = reader.http.post("/email/undo", data=token_in(link))
    assert f"New password for {owner.username}" in form.text
    log_in = {"username": owner.username, "password": PASSWORD}
    assert reader.http.post("/login", data=log_in).status_code == 401
    assert "This account was closed." not in reader.http.get(f"/players/{owner.username}").text


def test_no_link_opens_an_account_that_a_moderator_has_closed(site, owner, mailbox, mail_database):
    moderator = make_moderator(mail_database, Program(site))
    owner.http.post("/email/remove")
    link = mailbox.link(owner.address, "/email/undo")

    def act(action):
        order = {"username": owner.username, "action": action, "reason": "Spam."}
        answer = moderator.http.post("/moderation/actions", json=order)
        assert answer.status_code == 201, answer.text

    act("close")
    assert_error_page(Visitor(site).http.get(link), 410)
    assert_error_page(Visitor(site).http.post("/email/undo", data=token_in(link)), 410)
    assert "This account was closed." in Visitor(site).http.get(f"/players/{owner.username}").text
    act("lift")
    assert owner.address in Visitor(site).http.get(link).text


@pytest.mark.parametrize("token", ["", "x", "x" * 64])
def test_no_other_link_undoes_anything(site, token):
    assert_error_page(Visitor(site).http.get(f"/email/undo?token={token}"), 410)
    assert_error_page(Visitor(site).http.post("/email/undo", data={"token": token}), 410)


def test_confirming_the_same_address_again_is_no_change(owner, mailbox):
    move_address(owner, mailbox, owner.address)
    assert not any("address changed" in subject for subject in mailbox.subjects(owner.address))
