"""Registration, login and settings by forms."""

import re

import pytest

from tests.support.answers import assert_error_page
from tests.support.players import PASSWORD, Visitor


def test_both_faults_of_a_registration_are_shown_at_once(visitor):
    answer = visitor.http.post("/register", data={"username": "ab", "password": "123", "next": "/watch"})
    assert answer.status_code == 422
    assert 'id="error-username"' in answer.text
    assert 'id="error-password"' in answer.text
    assert 'name="next" value="/watch"' in answer.text


def test_register_log_out_log_in_and_change_the_password(visitor):
    visitor.register()
    assert visitor.username in visitor.http.get("/lobby").text
    visitor.http.post("/logout")
    assert visitor.username not in visitor.http.get("/lobby").text
    answer = visitor.http.post("/login", data={"username": visitor.username.upper(), "password": PASSWORD})
    assert visitor.username in answer.text
    changed = visitor.http.post("/account/password", data={"new_password": "another long password"})
    assert "Password changed" in changed.text
    visitor.http.post("/logout")
    assert (
        visitor.http.post("/login", data={"username": visitor.username, "password": PASSWORD}).status_code
        == 401
    )


@pytest.mark.parametrize(
    "username", ["<hx-partial>", "<script>", "ab", "a" * 21, "guest-me", "naïve", "a b c", "\x00abc"]
)
def test_invalid_names_are_refused(visitor, username):
    answer = visitor.http.post("/register", data={"username": username, "password": PASSWORD})
    assert_error_page(answer, 422)
    assert "<hx-partial>" not in answer.text
    assert "<script>" not in answer.text
    assert username not in visitor.http.get("/lobby").text or len(username) < 3


def test_a_name_is_taken_in_any_case(server, visitor):
    visitor.register()
    answer = Visitor(server).http.post(
        "/register", data={"username": visitor.username.upper(), "password": PASSWORD}
    )
    assert_error_page(answer, 422)


def test_a_guest_becomes_an_account_and_keeps_the_games(server, visitor):
    host = Visitor(server).register()
    made = host.http.post("/challenges", data={"size": "9", "side": "black", "opponent_kind": "link"})
    challenge = made.url.path
    game = visitor.http.post(f"{challenge}/accept")
    assert game.url.path.startswith("/games/")
    assert "guest-" in game.text
    visitor.register()
    shown = visitor.http.get(game.url.path).text
    assert visitor.username in shown
    assert "guest-" not in shown
    assert game.url.path in visitor.http.get("/").text


def test_a_login_redirects_within_the_site_only(visitor):
    visitor.register()
    visitor.http.post("/logout")
    for elsewhere in ("https://evil.example/", "//evil.example/", "/\\evil.example"):
        answer = visitor.http.post(
            "/login",
            data={"username": visitor.username, "password": PASSWORD, "next": elsewhere},
            follow_redirects=False,
        )
        assert answer.headers["location"] == "/lobby"


def test_settings_are_saved_and_invalid_ones_refused(visitor):
    visitor.register()
    page = visitor.http.post("/account/preferences", data={"theme": "dark", "sounds": "on", "other": "x"})
    assert re.search(r'<html lang="en" data-account="\d+" data-theme="dark" data-sounds="on">', page.text)
    refused = visitor.http.post("/account/preferences", data={"theme": "<pink>"})
    assert refused.status_code == 422
    assert "Choose one of the options." in refused.text
    assert 'data-theme="dark"' in visitor.http.get("/lobby").text


def test_tokens_need_a_name_and_a_purpose(visitor):
    visitor.register()
    for form, message in (
        ({"name": "", "scope": "play"}, "Fill in this field."),
        ({"name": "mine", "scope": "everything"}, "Choose one of the options."),
        ({"name": "mine", "scope": "play", "days": "12"}, "Choose one of the options."),
    ):
        answer = visitor.http.post("/account/tokens", data=form)
        assert answer.status_code == 422
        assert message in answer.text
