"""Search engines learn of every page that is for everybody, and of no other."""

import re
from xml.etree import ElementTree as ET

import pytest

from app.core.i18n.languages import LANGUAGES
from tests.support.players import Match, Program
from tests.support.routes import calls

# Of a reader, of a step in a form, or not for people.
NOT_LISTED = re.compile(
    "/(account|appeal|challenges|confirm|email|forgotten|guest|health|import|login|logout|me|messages|moderation"
    "|my|notifications|nugget/(submit|compare|runs)|offline|password|player-suggestions|recover|register|report|tournaments/new|unsubscribe)\\b"
)
_NAME = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
_LINK = "{http://www.w3.org/1999/xhtml}link"


@pytest.fixture
def sitemap(visitor, server):
    """Return a function that reads a sitemap: the paths with their dates and the languages of their links."""

    def read(name):
        document = ET.fromstring(visitor.http.get(f"/sitemaps/{name}.xml").text)
        return {
            url.findtext(f"{_NAME}loc").removeprefix(server.url): (
                url.findtext(f"{_NAME}lastmod"),
                [link.get("hreflang") for link in url.iter(_LINK)],
            )
            for url in document
        }

    return read


def test_the_index_leads_to_all_sitemaps(visitor):
    index = visitor.http.get("/sitemap.xml").text
    found = re.findall("<loc>(.*?)</loc>", index)
    assert {url.rpartition("/")[2] for url in found} >= {
        "pages.xml",
        "games.xml",
        "players.xml",
        "studies.xml",
    }
    assert {visitor.http.get(url).status_code for url in found} == {200}


def test_every_page_for_everybody_is_listed_in_all_languages(visitor, sitemap):
    pages = sitemap("pages")
    assert all(languages == list(LANGUAGES) for _, languages in pages.values())
    assert {path: visitor.http.get(path).status_code for path in pages} == dict.fromkeys(pages, 200)
    fixed = {call.path for call in calls() if call.method == "GET" and "{" not in call.path}
    for path in sorted(fixed - pages.keys()):
        if path.startswith("/api/") or "." in path or NOT_LISTED.match(path):
            continue
        answer = visitor.http.get(path, follow_redirects=False)
        is_page = answer.headers.get("content-type", "").startswith("text/html")
        assert answer.status_code != 200 or not is_page, path


def test_what_players_make_is_listed_unless_it_is_private(server, sitemap):
    match = Match(server)
    match.play("c4", "pass", "pass")
    running = Match(server)
    studies = {}
    for visibility in ("public", "link", "private"):
        study = {"game": "jadejack", "title": "The corner", "tree": "c4", "visibility": visibility}
        studies[visibility] = match.black.http.post("/studies", json=study).json()["id"]
    closed = Program(server)
    password = {"password": "quite a long password"}
    assert closed.http.post("/me/close", json=password).status_code == 204
    games, players, listed = sitemap("games"), sitemap("players"), sitemap("studies")
    assert games[f"/games/{match.id}"][0] is not None
    assert f"/games/{running.id}" not in games
    assert f"/players/{match.black.username}" in players
    assert f"/players/{closed.username}" not in players
    assert [f"/studies/{id_}" in listed for id_ in studies.values()] == [True, False, False]
