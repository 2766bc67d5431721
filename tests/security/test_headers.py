"""Headers of every answer, and what shared caches may keep."""

import re

import pytest

from tests.support import plain_http
from tests.support.answers import assert_error_page
from tests.support.players import PASSWORD
from tests.support.server import start_server

EVERYWHERE = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
OF_PAGES = {
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
OF_API = {"cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*"}
PATHS = ["/", "/login", "/no/such/page", "/api/v1/games/nosuchgame", "/health/live", "/static/css/base.css"]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_headers_of_security(server, path):
    headers = plain_http.get(f"{server.url}{path}").headers
    more = OF_API if path.startswith("/api/v1/") else {}
    if headers["content-type"].startswith("text/html"):
        more = OF_PAGES
    expected = {**EVERYWHERE, **more}
    assert {name: headers.get(name) for name in expected} == expected
    assert headers["x-request-id"]


@pytest.mark.parametrize("path", [path for path in PATHS if not path.startswith("/static/")])
def test_nothing_but_static_files_is_kept_by_caches(server, path):
    # A browser may go back to the page as it was, but no cache answers a request.
    allowed = "private, no-cache" if path == "/" else "no-store"
    assert plain_http.get(f"{server.url}{path}").headers["cache-control"] == allowed


@pytest.mark.parametrize("path", ["/account", "/email", "/password/reset?token=x", "/unsubscribe?token=x"])
def test_pages_with_secrets_are_neither_kept_nor_compressed(visitor, path):
    visitor.register()
    visitor.http.post("/account/confirm", data={"password": PASSWORD})
    headers = visitor.http.get(path, headers={"Accept-Encoding": "br"}).headers
    assert (headers["cache-control"], headers.get("content-encoding")) == ("no-store", None)


def test_browsers_are_told_to_use_https_only_if_players_do(server, secure):
    name = "strict-transport-security"
    assert name not in plain_http.get(f"{server.url}/login").headers
    assert plain_http.get(f"{secure.url}/login").headers[name] == "max-age=31536000; includeSubDomains"


def test_only_the_present_version_of_a_static_file_is_kept(server):
    page = plain_http.get(f"{server.url}/login").text
    version = re.search(r'href="/static/([0-9a-f]{12})/gorrion\.css"', page)[1]
    kept = {
        path: plain_http.get(f"{server.url}/static/{path}").headers.get("cache-control")
        for path in (
            f"{version}/js/live.js",
            f"{version}/js/none.js",
            f"{'0' * 12}/js/live.js",
            "js/live.js?v=1",
            "js/none.js?v=1",
        )
    }
    year = "public, max-age=31536000, immutable"
    assert list(kept.values()) == [year, "no-store", None, None, "no-store"]


def test_only_the_servers_own_machine_learns_which_parts_are_down(new_database):
    server = start_server(new_database("health"))  # where no game of another test waits for a computer
    try:
        ready = f"{server.url}/health/ready"
        assert plain_http.get(ready).json() == {"status": "ok", "down": [], "degraded": []}
        assert plain_http.get(ready, headers={"X-Forwarded-For": "198.51.100.7"}).json() == {"status": "ok"}
    finally:
        server.stop()


@pytest.mark.parametrize("path", ["/metrics", "/docs", "/redoc", "/openapi.json", "/debug"])
def test_there_are_no_pages_for_operators(server, path):
    assert_error_page(plain_http.get(f"{server.url}{path}"), 404)
