"""Behaviour that all pages share."""

import re

import pytest

from tests.support.answers import assert_error_page


@pytest.mark.parametrize("path", ["/", "/lobby", "/login", "/register", "/rules/jadejack", "/api/docs"])
def test_public_pages_open_for_visitors(visitor, path):
    answer = visitor.http.get(path)
    assert answer.status_code == 200
    assert "unsafe" not in answer.headers["content-security-policy"] or path == "/api/docs"


def test_pages_that_do_not_exist_are_not_found(visitor):
    assert_error_page(visitor.http.get("/no/such/page"), 404)
    assert_error_page(visitor.http.get("/games/nosuchgame"), 404)
    assert_error_page(visitor.http.get("/challenges/nosuchone"), 404)
    assert_error_page(visitor.http.get("/games/%ff%fe"), 404)


def test_static_files_are_cached_under_their_version(visitor):
    page = visitor.http.get("/lobby").text
    sheet, version = re.search(r'href="(/static/([0-9a-f]{12})/gorrion\.css)"', page).groups()
    script = re.search(r'<script type="module" src="([^"]+)"', page).group(1)
    assert script == f"/static/{version}/js/live.js"
    kept = [visitor.http.get(path) for path in (sheet, script, f"/static/{version}/js/dom.js")]
    passing = [visitor.http.get(path) for path in (sheet.replace(version, "0" * 12), "/static/js/live.js")]
    assert [answer.status_code for answer in (*kept, *passing)] == [200] * 5
    assert ["immutable" in answer.headers.get("cache-control", "") for answer in kept] == [True] * 3
    assert ["immutable" in answer.headers.get("cache-control", "") for answer in passing] == [False] * 2
    assert passing[0].text == kept[0].text
    assert kept[0].headers["content-type"].startswith("text/css")
    assert kept[1].headers["content-type"].startswith("text/javascript")
    assert visitor.http.get(f"/static/{version}/js/none.js").status_code == 404
