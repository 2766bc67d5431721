"""In which language a page is: the account's, else the one chosen before, else the browser's."""

import html
import re

import pytest
from markupsafe import escape

from app.core.i18n.languages import reading
from app.core.i18n.text import _
from tests.support.players import LivePage, Match
from tests.support.waiting import WITHIN


def language_of(answer):
    return re.search(r'<html lang="(\w+)"', answer.text)[1]


def test_a_page_is_in_the_language_of_the_browser_until_another_is_chosen(visitor):
    german = {"Accept-Language": "de-DE,de;q=0.9"}
    page = visitor.http.get("/login", headers=german)
    assert language_of(page) == "de"
    assert "Accept-Language" in page.headers["Vary"]
    assert re.findall(r'hreflang="([\w-]+)" href="http://[^/]+(/[^"]+)"', page.text) == [
        ("x-default", "/login"),
        ("en", "/login?lang=en"),
        ("de", "/login?lang=de"),
        ("es", "/login?lang=es"),
        ("pl", "/login?lang=pl"),
    ]
    chosen = visitor.http.post("/language", data={"language": "es", "next": "/login"}, headers=german)
    assert chosen.url.path == "/login"
    assert language_of(chosen) == "es"
    assert language_of(visitor.http.get("/nowhere", headers=german)) == "es"
    assert language_of(visitor.http.get("/login?lang=pl", headers=german)) == "pl"
    assert language_of(visitor.http.get("/login", headers=german)) == "pl"
    assert language_of(visitor.http.get("/login?lang=xx", headers=german)) == "pl"
    refused = visitor.http.post("/language", data={"language": "xx"})
    assert refused.status_code == 422


def test_the_script_of_a_page_chooses_no_language(visitor):
    assert visitor.http.get("/service-worker.js?lang=de").is_success
    assert language_of(visitor.http.get("/login")) == "en"


@pytest.mark.parametrize(
    "page", ["/analysis/jadejack?size=9&moves=c4,g6", "/players?q=wren", "/games/kept?lang=de", "/lobby"]
)
def test_the_choice_of_a_language_leads_back_to_what_was_shown(visitor, page):
    visitor.register()
    form = visitor.http.get(page)
    field = re.search(r'action="/language".*?name="next" value="(.+?)"', form.text, re.DOTALL)
    back = html.unescape(field[1])
    chosen = visitor.http.post("/language", data={"language": "pl", "next": back}, follow_redirects=False)
    assert chosen.headers["Location"] == page.removesuffix("?lang=de")
    assert language_of(visitor.http.get(chosen.headers["Location"])) == "pl"


def test_a_live_connection_is_in_the_language_of_its_page(visitor, server):
    match = Match(server)
    visitor.register()
    visitor.http.post("/language", data={"language": "pl", "next": "/"})
    with (
        visitor.live(f"/games/{match.id}/live?lang=de") as in_german,
        visitor.live(f"/games/{match.id}/live") as in_polish,
    ):
        match.play("c4")
        for connection, language in ((in_german, "de"), (in_polish, "pl")):
            with reading(language):
                shown = str(escape(_("%(player)s is to move", player=match.white.username)))
            while shown not in connection.recv(WITHIN):
                pass


def test_the_language_of_an_account_goes_before_all_others_and_the_api_is_english(server, visitor):
    visitor.register()
    visitor.http.post("/language", data={"language": "pl", "next": "/"})
    visitor.http.cookies.delete("gorrion-language")
    assert language_of(visitor.http.get("/account?lang=de")) == "pl"
    nothing = visitor.http.get("/nowhere", headers={"Accept-Language": "de"})
    assert (nothing.status_code, language_of(nothing)) == (404, "pl")
    assert visitor.username in nothing.text
    assert language_of(visitor.http.get("/language")) == "pl"  # it takes no GET
    refusal = visitor.http.get("/api/v1/games/23456789ab", headers={"Accept-Language": "pl"})
    assert refusal.json()["detail"] == "There is no such game here. Check the address for a typo."
    visitor.http.post("/account/preferences", data={"language": "auto"})
    visitor.http.cookies.delete("gorrion-language")
    assert language_of(visitor.http.get("/account", headers={"Accept-Language": "de"})) == "de"


@pytest.mark.parametrize("language", ["en", "de", "es", "pl"])
def test_a_page_is_brought_up_to_date_in_its_language(server, language):
    match = Match(server)
    match.play("c4")
    page, other = LivePage(server, match.id, language), LivePage(server, match.id, "en")
    match.play("g7")
    update, english = page.receive(), other.receive()
    last_move, turn = _("last move"), _("%(player)s is to move", player=match.black.username)
    assert (last_move in english, turn in english) == (True, True)
    with reading(language):
        assert last_move.translated() in update
        assert turn.translated() in update
