"""Answers of which clients get different forms say so: a cache gives none to a client that cannot read it."""

import pytest

from tests.support import plain_http
from tests.support.players import Visitor
from tests.support.routes import calls, examples
from tests.support.waiting import WITHIN

STATIC = ["js/live.js", "gorrion.css", "fonts/crimson-pro-latin.woff2", "icons/share.png", "nothing"]
PATHS = sorted({call.path for call in calls() if call.method == "GET"})


@pytest.fixture(scope="module")
def client(server):
    cookies = dict(Visitor(server).register().http.cookies)
    with plain_http.Client(base_url=server.url, cookies=cookies, timeout=WITHIN) as client:
        yield client


@pytest.mark.parametrize("path", [*PATHS, *(f"/static/{path}" for path in STATIC)])
def test_an_answer_that_depends_on_accepted_encodings_says_so(client, path):
    path, sent = next(examples(path, ["up_and_up"])), []
    for accepted in ("br", "gzip", "br;q=0", "identity"):
        with client.stream("GET", path, headers={"Accept-Encoding": accepted}) as answer:
            sent.append((answer.headers.get("content-encoding"), answer.headers.get("vary", "")))
    assert sent[2][0] != "br"
    if any(encoding for encoding, _ in sent):
        for _, vary in sent:
            assert vary.lower().count("accept-encoding") == 1
