"""Requests that another site forges with a visitor's cookie."""

import itertools

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.support import plain_http
from tests.support.database import fetch
from tests.support.players import Visitor
from tests.support.routes import calls, examples
from tests.support.waiting import WITHIN

_UNSAFE = [call for call in calls() if call.method not in ("GET", "HEAD", "OPTIONS")]
# These change nothing: a lesson is only recorded for the owner of a token.
_FOR_ANYBODY = ("/api/v1/nugget/check", "/api/v1/records/check", "/api/v1/lessons/{game:course}/{step:slug}")

_BY_KEY = ("/unsubscribe",)  # mail programs send these; what they may do is in the key of the address


@pytest.fixture(scope="module")
def cookies(server):
    visitor = Visitor(server).register()
    return dict(visitor.http.cookies)


@pytest.mark.parametrize("call", _UNSAFE, ids=str)
def test_a_cookie_alone_changes_nothing(server, cookies, call):
    """A forged request has the cookie of its victim and no proof of origin."""
    path = next(examples(call.path, ["nothing"]))
    for headers in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://["}):
        answer = plain_http.request(call.method, server.url + path, cookies=cookies, headers=headers)
        if call.path in _FOR_ANYBODY:
            assert answer.status_code in (200, 404, 422), answer.text
        elif call.path in _BY_KEY:
            assert answer.status_code == 404, answer.text
        elif call.path.startswith("/api/v1/"):
            assert answer.status_code in (401, 422), answer.text
        else:
            assert answer.status_code == 403, answer.text


_ENDLESS = ("/stream", "/events")
_TABLES = ("accounts", "games", "moves", "nugget_runs", "pgqueuer")


def contents(database_url):
    """Return a hash of each table that requests might change."""
    queries = (f"SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM {table} t" for table in _TABLES)
    return [fetch(database_url, query)[0] for query in queries]


def test_reading_changes_nothing(server, database_url, cookies):
    """So a link or a picture on another site cannot either."""
    before = contents(database_url)
    reads = [call for call in calls() if call.method == "GET" and not call.path.endswith(_ENDLESS)]
    for call in reads:
        for path in itertools.islice(examples(call.path, ["nothing"]), 3):
            answer = plain_http.get(
                server.url + path, cookies=cookies, headers={"Sec-Fetch-Site": "cross-site"}
            )
            assert answer.status_code < 500, path
    assert len(reads) > 60
    assert contents(database_url) == before


_FORGED = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "{url}.evil.example"},
    {"Origin": "http://evil@{host}"},
    {"Origin": "http://localhost:1"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {},
    # A Referer says nothing against what else is there, and only a page of this site counts.
    *({**more, "Referer": "{url}/"} for more in ({"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"})),
    *({"Referer": url} for url in ("", "/", "https://evil.example/", "{url}.evil.example/")),
    *({"Referer": url} for url in ("http://evil@{host}/", "http://[", "{url}evil/")),
]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        *((headers, 403) for headers in _FORGED),
        ({"Origin": "{url}"}, 303),
        ({"Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Referer": "{url}/account?from=lynx"}, 303),
    ],
    ids=str,
)
def test_only_pages_of_this_site_change_anything(server, cookies, headers, status):
    host = server.url.removeprefix("http://")
    sent = {name: value.format(url=server.url, host=host) for name, value in headers.items()}
    answer = plain_http.post(
        f"{server.url}/account/preferences", cookies=cookies, headers=sent, data={"theme": "dark"}
    )
    assert answer.status_code == status


@pytest.mark.parametrize(
    "path",
    [
        *("/account/live", "/lobby/live", "/leaderboards/golden_nugget/live", "/tournaments/live"),
        *("/ladders/jadejack/live", "/watch/live"),
    ],
)
@pytest.mark.parametrize("headers", [headers for headers in _FORGED if headers.get("Origin") != ""], ids=str)
def test_only_pages_of_this_site_open_their_sockets(server, cookies, path, headers):
    host = server.url.removeprefix("http://")
    sent = {name: value.format(url=server.url, host=host) for name, value in headers.items()}
    sent["Cookie"] = f"gorrion={cookies['gorrion']}"
    with connect(f"{server.ws_url}{path}", additional_headers=sent) as socket:
        with pytest.raises(ConnectionClosed):
            socket.recv(WITHIN)
        assert socket.close_code == 4403
