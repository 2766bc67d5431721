"""Usernames: none is mistaken for another, or for the site itself."""

import pytest

from app.learn.statistics.explorer import ALL
from tests.support import plain_http
from tests.support.answers import code
from tests.support.players import PASSWORD, Visitor, fresh_name


def register(server, username):
    body = {"username": username, "password": PASSWORD}
    return plain_http.post(f"{server.url}/api/v1/accounts", json=body)


@pytest.mark.parametrize(
    "username",
    [
        *("Gorrion_4", "gorrion", "G0RR10N-9", "gorrion-9x", "guest_12345678", "Guest-me", "gue5t1"),
        *("admin", "Admin", "adm1n", "ADMIN-2", "moderator", "m0derat0r", "system"),
        *("SUPPORT", "link", "root", "staff_1"),
        *(ALL, ALL.upper()),  # stands in an address where a name may stand
    ],
)
def test_names_that_look_official_are_refused(server, username):
    assert code(register(server, username)) == (422, "bad_username")


@pytest.mark.parametrize("username", ["Adminton", "linker", "computerfan", "modest"])
def test_names_that_only_begin_like_them_are_free(server, username):
    assert register(server, f"{username}{fresh_name('')[-5:]}").status_code == 201


@pytest.mark.parametrize(
    "username",
    [
        *("wr\u200ben", "\u202enerw", "\uff57\uff52\uff45\uff4e", "wr\u0435n", "wr\nen", "wr en", "<b>wren"),
        *("wr", "w" * 21, "-wren", "_wren", "wr\0en", "na\u00efve"),
    ],
)
def test_names_are_plain_letters_and_digits(server, username):
    assert code(register(server, username)) == (422, "bad_username")


def test_a_name_is_taken_in_any_case(server, program):
    assert code(register(server, program.username.upper())) == (422, "username_taken")


@pytest.mark.parametrize("is_weak", [False, True])
@pytest.mark.parametrize("name", ["free", "taken", "reserved"])
def test_registering_names_all_that_is_wrong_at_once(server, program, name, is_weak):
    username = {"free": fresh_name(), "taken": program.username.upper(), "reserved": "admin"}[name]
    form = {"username": username, "password": "password" if is_weak else PASSWORD}
    page = Visitor(server).http.post("/register", data=form)
    faults = {field for field in ("username", "password") if f'id="error-{field}"' in page.text}
    assert faults == {*(["username"] if name != "free" else []), *(["password"] if is_weak else [])}
