"""What holds for every route: proof of origin, values that cannot be, and no order among them."""

import re

import httpx
import pytest

from tests.support.players import Visitor
from tests.support.routes import calls

_CALLS = list(calls())
_UNSAFE = [call for call in _CALLS if call.method not in ("GET", "HEAD", "OPTIONS")]
_FOR_ANYBODY = ("/api/v1/nugget/check", "/api/v1/records/check")  # these change nothing


@pytest.fixture(scope="module")
def cookies(server):
    visitor = Visitor(server).register()
    return dict(visitor.http.cookies)


def filled(path):
    """Give a path with something in the place of its parameters."""
    return re.sub(r"\{[^}]*\}", "2222222222", path)


@pytest.mark.parametrize("call", _UNSAFE, ids=str)
def test_a_cookie_alone_changes_nothing(server, cookies, call):
    """A forged request has the cookie of its victim and no proof of origin."""
    for headers in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://["}):
        answer = httpx.request(call.method, server.url + filled(call.path), cookies=cookies, headers=headers)
        if call.path in _FOR_ANYBODY:
            assert answer.status_code in (200, 422), answer.text
        elif call.path.startswith("/api/v1/"):
            assert answer.status_code in (401, 422), answer.text
        else:
            assert answer.status_code == 403, answer.text
