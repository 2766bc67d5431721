"""Whoever has an answer already is told so, whatever serves it."""

import pytest

from tests.support import plain_http

KEPT = (
    *("/favicon.ico", "/service-worker.js", "/static/js/live.js", "/static/gorrion.css", "/static/htmx.js"),
    *("/static/fonts/crimson-pro-latin.woff2", "/static/icons/share.png", "/sitemap.xml"),
    *("/api/v1/openapi.json", "/api/v1/asyncapi.json", "/calendar.ics"),
)


@pytest.mark.parametrize("accepted", ["identity", "br", "gzip"])
@pytest.mark.parametrize("path", KEPT)
def test_an_answer_that_has_not_changed_is_not_sent_again(server, path, accepted):
    def get(**headers):
        return plain_http.get(server.url + path, headers={"Accept-Encoding": accepted, **headers}, timeout=60)

    first = get()
    etag, modified = first.headers["etag"], first.headers.get("last-modified")
    vary = [name.strip().lower() for name in first.headers.get("vary", "").split(",")]
    assert len(vary) == len(set(vary))
    assert etag.startswith("W/") == ("content-encoding" in first.headers)
    known = [{"If-None-Match": value} for value in (etag, f'"other", {etag}', "*", etag.removeprefix("W/"))]
    known += [{"If-Modified-Since": modified}] if modified else []
    for headers in known:
        again = get(**headers)
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
        assert again.headers.get("cache-control") == first.headers.get("cache-control")
        assert "content-type" not in again.headers
    other = [{"If-None-Match": '"other"'}, {"If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"}]
    other += [{"If-Modified-Since": "yesterday"}]
    # The date does not count beside a tag (RFC 9110, section 13.1.3).
    other += [{"If-None-Match": '"other"', "If-Modified-Since": modified}] if modified else []
    for headers in other:
        assert get(**headers).status_code == 200, headers


@pytest.mark.parametrize("path", ["/favicon.ico", "/service-worker.js", "/static/icons/share.png"])
def test_a_range_in_another_form_is_ignored(server, path):
    """Of others, those that the content has are sent."""

    def get(text):
        answer = plain_http.get(server.url + path, headers={"Range": text, "Accept-Encoding": "identity"})
        return answer.status_code, answer.content

    whole = plain_http.get(server.url + path, headers={"Accept-Encoding": "identity"}).content
    for text in (
        "",
        "bytes",
        "bytes=",
        "bytes=a-b",
        "bytes=5-2",
        "bytes=1-2,5-2",
        "bytes=-",
        "bytes=1-2;3-4",
    ):
        assert get(text) == (200, whole), text
    for text in (
        "lines=0-1",
        "octets=1-",
        "bytes=1-2, x",
        "bytes=--1",
        "bytes=" + "9" * 5000 + "-",
        "bytes=" + "9" * 30_000,
    ):
        assert get(text) == (200, whole), text
    assert get("bytes=1-3") == get("Bytes = 1-3") == (206, whole[1:4])
    assert get("bytes=-4") == (206, whole[-4:])
    assert get("bytes=3-1000000") == (206, whole[3:])
    assert get("bytes=1000000-") == (416, b"")


def test_a_page_of_a_reader_has_no_name_and_is_sent_each_time(server):
    assert plain_http.get(server.url, headers={"If-None-Match": "*"}).status_code == 200


def test_password_managers_find_the_page(server):
    answer = plain_http.get(f"{server.url}/.well-known/change-password")
    assert (answer.status_code, answer.headers["location"]) == (302, "/account/security")
