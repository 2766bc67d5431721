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
    kept = [visitor.http.get(path) for path in (sheet, script, f"/static/{version}/js/clock.js")]
    passing = [visitor.http.get(path) for path in (sheet.replace(version, "0" * 12), "/static/js/live.js")]
    assert [answer.status_code for answer in (*kept, *passing)] == [200] * 5
    assert ["immutable" in answer.headers.get("cache-control", "") for answer in kept] == [True] * 3
    assert ["immutable" in answer.headers.get("cache-control", "") for answer in passing] == [False] * 2
    assert passing[0].text == kept[0].text
    assert kept[0].headers["content-type"].startswith("text/css")
    assert kept[1].headers["content-type"].startswith("text/javascript")
    assert visitor.http.get(f"/static/{version}/js/none.js").status_code == 404


def test_htmx_is_sent_to_addresses_in_any_script(visitor):
    sent = visitor.http.post("/guest", data={"next": "/日本"}, headers={"HX-Request": "true"})
    assert sent.headers["hx-redirect"] == "/%E6%97%A5%E6%9C%AC"


def test_texts_are_compressed_but_not_the_pages_of_accounts(visitor):
    def encoding(path, accepted):
        answer = visitor.http.get(path, headers={"Accept-Encoding": accepted})
        return answer.headers.get("content-encoding", "")

    paths = ("/", "/static/gorrion.css", "/static/htmx.js", "/sitemap.xml", "/login")
    assert [encoding(path, "gzip, br") for path in paths] == ["br", "br", "br", "br", ""]
    assert [encoding(path, "gzip") for path in paths] == ["gzip", "gzip", "gzip", "gzip", ""]
    assert [encoding(path, "identity") for path in paths] == [""] * 5


def test_browsers_may_keep_pages_without_secrets_for_the_way_back(visitor):
    kept = {path: visitor.http.get(path).headers["cache-control"] for path in ("/", "/login", "/no/page")}
    assert kept == {"/": "private, no-cache", "/login": "no-store", "/no/page": "no-store"}
    part = visitor.http.get("/players", headers={"HX-Request": "true", "HX-Request-Type": "partial"})
    assert part.headers["cache-control"] == "no-store"


def test_the_site_says_what_crawlers_and_browsers_look_for(visitor):
    home = visitor.http.get("/").text
    manifest = visitor.http.get(re.search(r'rel="manifest" href="([^"]+)"', home).group(1))
    icons = [visitor.http.get(str(manifest.url.join(icon["src"]))) for icon in manifest.json()["icons"]]
    assert [answer.status_code for answer in icons] == [200] * len(icons)
    assert visitor.http.get("/favicon.ico").status_code == 200
    assert "/sitemap.xml" in visitor.http.get("/robots.txt").text


def test_the_page_that_browsers_keep_for_offline_is_the_same_for_everybody(visitor):
    kept = visitor.http.get("/offline")
    assert kept.status_code == 200
    assert "/login" not in kept.text
    assert visitor.register().http.get("/offline").text == kept.text


@pytest.mark.parametrize(
    ("game", "author"),
    [
        ("golden_nugget", "Jarosław Cichocki"),
        ("jadejack", "dashstofsk"),
        ("jumping_farther", "Leroy Quet"),
        ("up_and_up", "Leroy Quet"),
    ],
)
def test_rules_and_about_name_the_author_of_each_game(visitor, game, author):
    for path in (f"/rules/{game}", "/about"):
        assert author in visitor.http.get(path).text
