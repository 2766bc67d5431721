"""Sessions: the cookie, what ends them, and what a stolen one is worth."""

import contextlib
import hashlib
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.security.keys import is_known, new_token, session_of, status_of
from tests.support import plain_http
from tests.support.answers import assert_problem
from tests.support.database import execute, fetch
from tests.support.players import PASSWORD, Visitor
from tests.support.waiting import WITHIN

NEW_PASSWORD = "another long password"


def live_page(server, cookie):
    """Return the live connection of a page that is open with a session's cookie."""
    headers = {"Cookie": f"gorrion={cookie}"}
    return connect(f"{server.ws_url}/account/live", origin=server.url, additional_headers=headers)


def closed_with(page):
    """Return the code with which a live connection is closed."""
    with pytest.raises(ConnectionClosed):
        while True:
            page.recv(WITHIN)
    return page.close_code


def log_in(server, visitor):
    """Log the same person in from another browser and return it."""
    other = Visitor(server)
    answer = other.http.post("/login", data={"username": visitor.username, "password": PASSWORD})
    assert answer.status_code == 200
    return other


def test_the_cookie_is_secure_and_hidden_from_scripts(secure):
    answer = plain_http.post(f"{secure.url}/guest", headers={"Origin": "https://play.example"})
    name, value = re.fullmatch(
        r"(__Host-gorrion)=([\w-]+); HttpOnly; Max-Age=7776000; Path=/; SameSite=lax; Secure",
        answer.headers["set-cookie"],
    ).groups()
    for cookie, is_accepted in ((name, True), ("gorrion", False)):
        page = plain_http.get(f"{secure.url}/account", headers={"Cookie": f"{cookie}={value}"})
        assert (page.status_code == 200) == is_accepted


def test_tokens_are_long_and_only_their_hash_is_stored(database_url, visitor):
    visitor.register()
    for token, table in ((session_of(visitor), "sessions"), (new_token(visitor), "api_tokens")):
        assert len(token) >= 43  # 256 bits
        row = fetch(
            database_url,
            f"SELECT to_json({table})::text AS text FROM {table} WHERE token_hash = $1",
            hashlib.sha256(token.encode()).digest(),
        )
        assert token not in row["text"]


def test_what_a_guest_had_is_worth_nothing_once_registered(server, visitor):
    visitor.http.post("/guest")
    planted = session_of(visitor)
    assert is_known(server, planted)
    assert visitor.http.post("/account/tokens", data={"name": "bot", "scope": "play"}).status_code == 403
    visitor.register()
    assert not is_known(server, planted)
    assert is_known(server, session_of(visitor))


def test_logging_in_ends_the_session_that_the_browser_had(server, visitor):
    member = Visitor(server).register()
    visitor.http.post("/guest")
    guests = session_of(visitor)
    with live_page(server, guests) as page:
        visitor.http.post("/login", data={"username": member.username, "password": PASSWORD})
        assert closed_with(page) == 4401
    assert not is_known(server, guests)
    assert is_known(server, session_of(visitor))
    assert is_known(server, session_of(member))


def test_logging_out_ends_the_session_and_its_sockets(two_workers):
    visitor = Visitor(two_workers).register()
    token = session_of(visitor)
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(live_page(two_workers, token)) for _ in range(6)]
        visitor.http.post("/logout")
        assert [closed_with(page) for page in pages] == [4401] * 6
    assert not is_known(two_workers, token)


def test_a_session_ends_after_30_days_without_use_and_90_days_in_all(server, visitor, clock):
    visitor.register()
    idle, used = log_in(server, visitor), log_in(server, visitor)
    for days in (29, 2, 28, 28):
        clock.advance(days=days)
        assert is_known(server, session_of(used)), days
    assert not is_known(server, session_of(idle))
    clock.advance(days=3)
    assert not is_known(server, session_of(used))


def test_the_session_of_a_guest_lasts_as_long_as_the_browser_uses_it(server, visitor, clock):
    visitor.http.post("/guest")
    guests = session_of(visitor)
    for _month in range(4):
        clock.advance(days=29)
        kept = visitor.http.get("/account").headers["set-cookie"]
        assert kept.startswith(f"gorrion={guests}; HttpOnly; Max-Age=7776000; Path=/")
        assert "set-cookie" not in visitor.http.get("/account").headers
    clock.advance(days=91)
    assert not is_known(server, guests)


def test_a_guest_who_is_kept_aside_lasts_as_long_as_the_browser_is_used(server, visitor, clock):
    owner = Visitor(server).register()
    run = visitor.http.post("/nugget/runs").url.path
    log_ins = 0
    for _month in range(9):
        page = visitor.http.get("/help")
        if owner.username not in page.text:
            visitor.http.post("/login", data={"username": owner.username, "password": PASSWORD})
            log_ins += 1
        else:
            assert re.match("gorrion-guest=[^;]+; HttpOnly; Max-Age=7776000;", page.headers["set-cookie"])
        clock.advance(days=29)
    assert log_ins == 3  # a session of the account lasts for three months
    visitor.http.post("/logout")
    assert visitor.http.get(run).status_code == 200


def test_sessions_are_listed_and_can_be_ended(server, visitor):
    visitor.register()
    elsewhere = Visitor(server)
    elsewhere.http.headers["User-Agent"] = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"
    elsewhere.http.post("/login", data={"username": visitor.username, "password": PASSWORD})
    page = visitor.http.get("/account/security").text
    assert "Firefox on Linux" in page
    page_in_german = visitor.http.get("/account/security", headers={"Accept-Language": "de"}).text
    assert "Firefox unter Linux" in page_in_german
    assert "Ein Browser" in page_in_german
    assert re.search(r"last used <time[^>]*>just now<", page)
    (handle,) = re.findall(
        r"/account/keys/([0-9a-f]+)/revoke\"><input[^>]+><button class=\"button\" aria-label=\"Log out", page
    )
    assert visitor.http.post("/account/keys/0123456789abcdef/revoke").status_code == 404
    assert Visitor(server).register().http.post(f"/account/keys/{handle}/revoke").status_code == 404
    visitor.http.post(f"/account/keys/{handle}/revoke")
    assert not is_known(server, session_of(elsewhere))
    assert is_known(server, session_of(visitor))


@pytest.mark.parametrize(("asked", "status"), [({"revoke_tokens": "true"}, 401), ({}, 200)])
def test_a_new_password_ends_other_sessions_and_tokens_if_asked(server, visitor, asked, status):
    visitor.register()
    other, token = log_in(server, visitor), new_token(visitor)
    form = {"new_password": NEW_PASSWORD, **asked}
    assert visitor.http.post("/account/password", data=form).url.params["saved"] == "password"
    assert is_known(server, session_of(visitor))
    assert not is_known(server, session_of(other))
    assert status_of(server, token) == status


def test_a_program_changes_the_password_and_keeps_its_own_token(server, program):
    other = program.http.post("/tokens", json={"username": program.username, "password": PASSWORD}).json()
    wrong = program.http.post(
        "/me/password", json={"current_password": "not that one", "new_password": NEW_PASSWORD}
    )
    assert_problem(wrong, 422, "wrong_password")
    body = {"current_password": PASSWORD, "new_password": NEW_PASSWORD}
    assert program.http.post("/me/password", json=body).status_code == 204
    assert status_of(server, program.token) == 200
    assert status_of(server, other["token"]) == 401
    old = program.http.post("/tokens", json={"username": program.username, "password": PASSWORD})
    assert_problem(old, 401, "wrong_credentials")


def test_nobody_logs_in_to_an_account_while_it_is_closed(server):
    """Whichever comes first: no key to a closed account works afterwards."""
    for _ in range(4):
        visitor = Visitor(server).register()
        credentials = {"username": visitor.username, "password": PASSWORD}
        with ThreadPoolExecutor(3) as pool:
            log_ins = [
                pool.submit(plain_http.post, f"{server.url}/api/v1/tokens", json=credentials, timeout=WITHIN)
                for _ in range(2)
            ]
            assert visitor.http.post("/account/close").status_code == 200
        for answer in (log_in.result() for log_in in log_ins):
            if answer.status_code == 201:
                assert status_of(server, answer.json()["token"]) == 401
            else:
                assert_problem(answer, 401, "wrong_credentials")


def test_keys_to_a_closed_account_open_nothing(server, database_url, program):
    visitor = Visitor(server).register()
    token = new_token(visitor)
    execute(database_url, "UPDATE accounts SET closed_at = now() WHERE username = $1", visitor.username)
    assert not is_known(server, session_of(visitor))
    assert status_of(server, token) == 401
