"""Cursors of the leaderboards, over HTTP: invalid ones are refused."""

import base64
import json

import pytest

from app.core.database.rank_order import MAX_CURSOR
from tests.support.players import Program, Visitor

LEADERBOARDS = ("/leaderboards/jadejack", "/leaderboards/up_and_up", "/leaderboards/golden_nugget")
PAGES = ("/leaderboards/jadejack", "/scores/up_and_up/8", "/leaderboards/golden_nugget")


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


CURSORS = [
    *("\0", "\N{BIRD}", "nowhere", "1500.0_7", "a" * 500, "a" * 5_000),
    *(encoded(value) for value in (10**400, [10**400] * 4, ["\0"] * 5, [], None, [1, 2, 3, 4, 5])),
]


@pytest.mark.parametrize("path", LEADERBOARDS)
def test_an_absurd_cursor_is_refused(server, path):
    program = Program(server)
    for cursor in CURSORS:
        answer = program.http.get(path, params={"cursor": cursor})
        code = "bad_cursor" if len(cursor) <= MAX_CURSOR else "invalid_request"
        assert (answer.status_code, answer.json()["code"]) == (422, code), cursor


@pytest.mark.parametrize("path", PAGES)
def test_pages_refuse_an_absurd_cursor_too(server, path):
    visitor = Visitor(server)
    for cursor in CURSORS:
        assert visitor.http.get(path, params={"cursor": cursor}).status_code == 422, cursor
