"""Answers of which clients get different forms say so: a cache gives none to a client that cannot read it."""

import zlib

import pytest

from tests.support import plain_http
from tests.support.players import Visitor
from tests.support.routes import calls, examples
from tests.support.waiting import WITHIN

STATIC = ["js/live.js", "gorrion.css", "fonts/crimson-pro-latin.woff2", "icons/share.png", "nothing"]
ENCODED, PLAIN = ("br", "gzip"), ("br;q=0", "identity")
PATHS = sorted({call.path for call in calls() if call.method == "GET"})


@pytest.fixture(scope="module")
def client(server):
    cookies = dict(Visitor(server).register().http.cookies)
    with plain_http.Client(base_url=server.url, cookies=cookies, timeout=WITHIN) as client:
        yield client


@pytest.mark.parametrize("path", PATHS)
def test_an_answer_that_depends_on_accepted_encodings_says_so(client, path):
    """One place compresses all of these: each is asked for one encoding, and without, in one of two ways."""
    turn = zlib.crc32(path.encode())
    assert_says_so(client, next(examples(path, ["up_and_up"])), ENCODED[turn % 2], PLAIN[turn // 2 % 2])


@pytest.mark.parametrize("path", STATIC)
def test_a_file_that_depends_on_accepted_encodings_says_so(client, path):
    assert_says_so(client, f"/static/{path}", *ENCODED, *PLAIN)


def assert_says_so(client, path, *encodings):
    sent = {}
    for accepted in encodings:
        with client.stream("GET", path, headers={"Accept-Encoding": accepted}) as answer:
            sent[accepted] = answer.headers.get("content-encoding"), answer.headers.get("vary", "")
    assert all(sent[accepted][0] != "br" for accepted in PLAIN if accepted in sent)
    if any(encoding for encoding, _ in sent.values()):
        for _, vary in sent.values():
            assert vary.lower().count("accept-encoding") == 1
