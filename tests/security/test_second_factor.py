"""The second factor and recovery codes: what completes a log-in, and what does not."""

import pytest

from tests.security.keys import is_known, new_token, session_of, status_of
from tests.support.answers import assert_problem
from tests.support.players import PASSWORD, Program, Visitor
from tests.support.second_factor import answer, begin, code_of, codes_on, set_up

NEW_PASSWORD = "another long password"


@pytest.fixture
def owner(visitor):
    return visitor.register()


def test_the_password_alone_opens_no_account_again(server, owner, program):
    _, codes = set_up(owner)
    owner.http.post("/account/confirm", data={"password": PASSWORD})
    assert owner.http.post("/account/close", data={"erase": "true"}).status_code == 200

    def is_closed():
        return program.http.get(f"/players/{owner.username}").json()["is_closed"]

    browser, pending = begin(server, owner)
    assert answer(browser, pending, "000").status_code == 422
    credentials = {"username": owner.username, "password": PASSWORD}
    assert program.http.post("/tokens", json={**credentials, "code": "000"}).status_code == 422
    assert is_closed()
    assert answer(browser, pending, codes[0]).status_code == 303
    assert not is_closed()


def test_a_code_is_needed_after_the_password_and_is_accepted_once(server, owner, clock):
    secret, codes = set_up(owner)
    assert len(set(codes)) == 10
    browser, pending = begin(server, owner)
    assert "gorrion" not in browser.http.cookies
    assert answer(browser, pending, code_of(secret)).status_code == 422  # it was used for the setup
    clock.advance(seconds=30)
    code = code_of(secret)
    assert answer(browser, pending, "000000" if code != "000000" else "1").status_code == 422
    done = answer(browser, pending, f"{code[:3]} {code[3:]}")
    assert done.headers["location"] == "/watch"
    assert is_known(server, session_of(browser))
    other, pending = begin(server, owner)
    assert answer(other, pending, code).status_code == 422
    shown = owner.http.get("/account/security").text
    assert "Wrong code after the password" in shown
    assert "Second factor added" in shown


def test_an_old_code_and_a_late_one_are_refused(server, owner, clock):
    secret, _ = set_up(owner)
    clock.advance(minutes=2)
    browser, pending = begin(server, owner)
    old = code_of(secret)
    clock.advance(seconds=90)
    assert answer(browser, pending, old).status_code == 422
    clock.advance(minutes=9)
    late = answer(browser, pending, code_of(secret))
    assert late.status_code == 401
    assert "This took too long" in late.text


def test_each_recovery_code_works_once_and_new_ones_replace_it(server, owner):
    _, codes = set_up(owner)
    browser, pending = begin(server, owner)
    assert answer(browser, pending, codes[0].upper().replace("-", " ")).status_code == 303
    other, pending = begin(server, owner)
    assert answer(other, pending, codes[0]).status_code == 422
    assert "You have 9 codes left" in owner.http.get("/account/security").text
    replaced = codes_on(owner.http.post("/account/recovery-codes").text)
    assert answer(other, pending, codes[1]).status_code == 422
    assert answer(other, pending, replaced[1]).status_code == 303


def test_a_new_password_ends_log_ins_that_wait_for_a_code(server, owner):
    _, codes = set_up(owner)
    browser, pending = begin(server, owner)
    owner.http.post("/account/password", data={"new_password": NEW_PASSWORD})
    assert answer(browser, pending, codes[0]).status_code == 401


def test_a_new_token_of_a_program_needs_a_code_and_older_ones_go_on(server, owner, clock):
    token = new_token(owner)
    secret, _ = set_up(owner)
    assert status_of(server, token) == 200
    http = Program(server).http
    body = {"username": owner.username, "password": PASSWORD}
    assert_problem(http.post("/tokens", json=body), 401, "unauthenticated")
    assert_problem(http.post("/tokens", json={**body, "code": "000"}), 422, "wrong_code")
    clock.advance(seconds=30)
    issued = http.post("/tokens", json={**body, "code": code_of(secret)})
    assert status_of(server, issued.json()["token"]) == 200


def test_removing_the_second_factor_needs_a_confirmation(server, owner, clock):
    set_up(owner)
    assert owner.http.post("/account/second-factor").status_code == 409
    clock.advance(minutes=10)
    assert owner.http.post("/account/second-factor/remove").url.path == "/account/confirm"
    owner.http.post("/account/confirm", data={"password": PASSWORD})
    assert "Second factor removed" in owner.http.post("/account/second-factor/remove").text
    browser = Visitor(server)
    browser.http.post("/login", data={"username": owner.username, "password": PASSWORD})
    assert is_known(server, session_of(browser))


def test_a_recovery_code_resets_a_forgotten_password_and_ends_all_sessions(server, owner):
    codes = codes_on(owner.http.post("/account/recovery-codes").text)
    token = new_token(owner)
    stranger = Visitor(server)
    form = {"username": owner.username, "code": codes[0], "new_password": NEW_PASSWORD}
    wrong = [{"code": "0000"}, {"username": "nobody-here"}, {"new_password": "password1"}]
    for change in wrong:
        assert stranger.http.post("/login/recover", data={**form, **change}).status_code == 422
    reset = stranger.http.post("/login/recover", data=form)
    assert "Password changed" in reset.text
    assert not is_known(server, session_of(owner))
    assert status_of(server, token) == 401
    again = stranger.http.post("/login/recover", data={**form, "new_password": PASSWORD})
    assert again.status_code == 422
    stranger.http.post("/login", data={"username": owner.username, "password": NEW_PASSWORD})
    assert is_known(server, session_of(stranger))


def test_after_a_reset_the_second_factor_is_still_needed(server, owner):
    _, codes = set_up(owner)
    form = {"username": owner.username, "code": codes[0], "new_password": NEW_PASSWORD}
    Visitor(server).http.post("/login/recover", data=form)
    browser, pending = begin(server, owner, NEW_PASSWORD)
    assert answer(browser, pending, codes[0]).status_code == 422
    assert answer(browser, pending, codes[1]).status_code == 303
