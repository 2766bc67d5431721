"""Odd values of every header that the server reads: what cannot be read counts as absent, or is refused."""

import itertools
import re
from contextlib import closing
from http.client import HTTPConnection

import pytest

from tests.project.files import ROOT
from tests.support.waiting import WITHIN

# What uvicorn, Starlette and python-multipart read for the server.
_OF_LIBRARIES = {
    *("accept-encoding", "connection", "content-type", "cookie", "expect", "if-range", "range"),
    *("x-forwarded-for", "x-forwarded-proto"),
}
_LONG = "9" * 5000
_ODD = (
    *("", "0", "-1", "nan", "inf", "1e999", _LONG, f"-{_LONG}", "\xff\xfe", "é"),
    *("a=b; c", ",;,;", '"', "%ff", "[::1", "::ffff:1.2.3.4", "fe80::1%x"),
    *(f"Mon, 01 Jan {year} 00:00:00 GMT" for year in ("0000", "9" * 20, _LONG)),
    *(f"Mon, 01 Jan 2024 {time}" for time in ("99:99:99 GMT", "00:00:00 -0000", "00:00:00 +9999")),
    *("Mon, 31 Dec 9999 23:59:59 -2359", "Mon, 01 Jan 0001 00:00:00 +2359", "Sat, 99 Feb 2024"),
    *(f"bytes={_LONG}-", f"bytes=-{_LONG}", "bytes=5-1", "bytes=" + "0-1," * 500),
    *(f"br;q={_LONG}", "br;q=nan", "http://[::1", "http://\xff", f"http://localhost:{_LONG}/", "//"),
    *("javascript:0", "Bearer", "Bearer \xff", "Bearer gorrion_", "Basic Og==", "multipart/form-data"),
    *("multipart/form-data; boundary=", "multipart/form-data; charset=x", "text/html; charset=\xff"),
)
_REQUESTS = (
    *(("GET", path) for path in ("/", "/static/gorrion.css", "/api/v1/games", "/calendar.ics", "/nowhere")),
    *(("POST", path) for path in ("/login", "/api/v1/challenges", "/api/v1/nugget/check", "/nowhere")),
)
_DATED = ("GET", "/static/fonts/crimson-pro-latin.woff2")


_HEADERS = r"(?:headers|asked|Headers\(scope=scope\))"
_NAMED = re.compile(
    rf"""{_HEADERS}(?:\.get\(|\[)\s*"([\w-]+)"   # headers.get("name"), headers["name"]
    | "([\w-]+)"(?=\ (?:not\ )?in\ [\w.()]*{_HEADERS}(?!\w))    # "name" in request.headers""",
    re.VERBOSE,
)


def names_of_headers():
    """Return the names of the headers that the code asks a request for."""
    text = "\n".join(path.read_text() for path in (ROOT / "app").rglob("*.py"))
    return {(got or sought).lower() for got, sought in _NAMED.findall(text)}


HEADERS = sorted(names_of_headers() | _OF_LIBRARIES)


def test_the_headers_that_the_code_reads_are_found():
    assert {"authorization", "if-modified-since", "if-none-match", "origin", "idempotency-key"} <= {*HEADERS}


@pytest.mark.parametrize("name", HEADERS)
def test_odd_values_of_headers_break_nothing(server, name):
    for value, request in zip(_ODD, itertools.cycle(_REQUESTS)):
        for method, path in (request, _DATED):
            assert status_of(server, method, path, {name: value}) < 500, (value, method, path)


@pytest.mark.parametrize("length", ["0" * 5000 + "2", "9" * 5000, "9" * 20, "-1", "+2", "2_0", "nan"])
@pytest.mark.parametrize("path", ["/login", "/api/v1/challenges", "/nowhere"])
def test_a_length_that_cannot_be_read_is_refused(server, path, length):
    assert status_of(server, "POST", path, {"content-length": length}) in (400, 413)


def status_of(server, method, path, headers):
    """Return the status of the answer to a request, whose body has two bytes if it has one."""
    body = b"{}" if method == "POST" else b""
    of_body = {"content-length": "2", "content-type": "application/json"} if body else {}
    with closing(HTTPConnection("localhost", server.port, timeout=WITHIN)) as connection:
        connection.putrequest(method, path)
        for name, value in {"origin": server.url, **of_body, **headers}.items():
            connection.putheader(name, value.encode("latin-1"))
        connection.endheaders(body)
        return connection.getresponse().status
