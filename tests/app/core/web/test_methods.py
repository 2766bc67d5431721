"""What every path answers to methods other than those of its routes, and to pages of other sites."""

import zlib
from collections import defaultdict

import pytest

from tests.support import plain_http
from tests.support.players import Program, Visitor
from tests.support.routes import calls, examples
from tests.support.server import start_server
from tests.support.waiting import WITHIN, wait_until

METHODS = defaultdict(set)
for call in calls():
    METHODS[call.path].add(call.method)
AT_RANDOM = ("/next", "/streak")
"""Ends of paths that lead to a puzzle that was chosen at random."""
READ = sorted(path for path, methods in METHODS.items() if "GET" in methods and not path.endswith(AT_RANDOM))
API = [path for path in METHODS if path.startswith("/api/v1/")]
ALL = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE")
THEIRS = {"Origin": "https://tools.example"}
# Of each answer, or of when it was made.
OWN = ("x-request-id", "date", "content-length", "content-encoding", "transfer-encoding")


@pytest.fixture(scope="module")
def client(server):
    """Return a client with the cookies of an account, which sends no Origin."""
    cookies = dict(Visitor(server).register().http.cookies)
    with plain_http.Client(base_url=server.url, cookies=cookies, timeout=WITHIN) as client:
        yield client


def example(path):
    return next(examples(path, ["nothing"]))


def headers_of(client, method, path):
    """Return the status and the headers of an answer, without those of each answer, and its first bytes."""
    with client.stream(method, example(path), headers=THEIRS) as answer:
        first = next(answer.iter_raw(), b"") if method == "HEAD" else b""
        return answer.status_code, {k: v for k, v in answer.headers.items() if k not in OWN}, first


@pytest.mark.parametrize("path", READ)
def test_head_is_answered_as_get_without_the_content(client, path):
    """A page of another site asks, which may use nothing but the API."""
    status, headers, _ = headers_of(client, "GET", path)
    assert headers_of(client, "HEAD", path) == (status, headers, b"")
    if path not in API:
        assert_closed(path, headers)


@pytest.mark.parametrize("path", ["/static/js/live.js", "/no/such/page", "/api/v1/nothing"])
def test_head_is_answered_as_get_where_there_is_no_route(client, path):
    status, headers, _ = headers_of(client, "GET", path)
    assert headers_of(client, "HEAD", path) == (status, headers, b"")


def test_a_stream_that_is_asked_for_with_head_ends(new_database):
    """Its reader counts as gone: another stream may be opened in its place."""
    server = start_server(new_database("heads"), throttle="on", live_per_account="1")
    try:
        program = Program(server)
        game = program.http.post("/games", json={"game": "up_and_up", "options": {"size": 4}}).json()["id"]
        for path in ("/events", f"/games/{game}/stream", "/events"):
            wait_until(lambda path=path: program.http.head(path).status_code == 200)
        with program.http.stream("GET", "/events") as stream:
            lines = stream.iter_lines()  # kept, since the end of an iterator closes the stream
            next(lines)
            assert program.http.head("/events").status_code == 429
    finally:
        server.stop()


@pytest.mark.parametrize("path", METHODS)
def test_methods_that_a_path_does_not_have_are_refused_as_such(client, path):
    """Also without proof of origin: they change nothing.

    The router refuses all methods alike that no route has: each path is asked for one of them.
    """
    allowed = METHODS[path] | {"OPTIONS"} | ({"HEAD"} if "GET" in METHODS[path] else set())
    refused = [method for method in ALL if method not in allowed]
    method = refused[zlib.crc32(path.encode()) % len(refused)]
    answer = client.request(method, example(path))
    assert answer.status_code == 405, method
    assert set(answer.headers["allow"].split(", ")) == allowed
    asked = client.options(example(path))
    assert (asked.status_code, set(asked.headers["allow"].split(", "))) == (204, allowed)


@pytest.mark.parametrize("path", ["/static/js/live.js", "/static/htmx.js", "/static/nothing.css"])
def test_files_can_only_be_read(client, path):
    for method, status in (("POST", 405), ("DELETE", 405), ("OPTIONS", 204)):
        answer = client.request(method, path)
        assert (answer.status_code, answer.headers["allow"]) == (status, "GET, HEAD, OPTIONS")


@pytest.mark.parametrize("path", [path for path in METHODS if path != "/"])
def test_a_slash_too_many_leads_to_the_same_site(client, path):
    """Whatever host the request names."""
    address = example(path)
    answer = client.request("HEAD", f"{address}/?a=b", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.headers["location"]) == (307, f"{address}?a=b")


@pytest.mark.parametrize("path", API)
def test_pages_of_other_sites_may_use_the_api(client, path):
    """It knows programs by their tokens alone, so it needs no cookies and sets none."""
    asked = client.options(example(path), headers={**THEIRS, "Access-Control-Request-Method": "POST"})
    assert METHODS[path] <= set(asked.headers["access-control-allow-methods"].split(", "))
    assert {"Authorization", "Content-Type"} < set(asked.headers["access-control-allow-headers"].split(", "))
    assert "access-control-allow-credentials" not in asked.headers
    for method in METHODS[path]:
        with client.stream(method, example(path), headers=THEIRS) as answer:
            assert answer.headers["access-control-allow-origin"] == "*"
            assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
            assert {"Retry-After", "Link", "ETag"} < set(
                answer.headers["access-control-expose-headers"].split(", ")
            )
            assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("path", [path for path in METHODS if path not in API])
def test_pages_of_other_sites_may_use_nothing_else(client, path):
    """What they may read, the answers to GET and HEAD say, which are compared above."""
    for method in ("OPTIONS",) if path in READ else ("GET", "OPTIONS"):
        with client.stream(method, example(path), headers=THEIRS) as answer:
            assert_closed(path, answer.headers)


def assert_closed(path, headers):
    """Check that pages of other sites may not use an answer, but for what they embed."""
    assert [name for name in headers if name.startswith("access-control-")] == []
    resource_policy = "cross-origin" if path.startswith("/embed/") else "same-origin"
    assert headers["cross-origin-resource-policy"] == resource_policy
