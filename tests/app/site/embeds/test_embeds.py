"""Games, entries and boards on other sites: what is shown, to whom, and how much it weighs."""

import re
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest

from app.nugget.drawing import film_of_board
from engine.golden_nugget.board import MOVE_LIMIT, START, pushes
from engine.golden_nugget.play import Play
from tests.support.nugget import hide_boards, new_record
from tests.support.players import Program, Visitor, begin_game
from tests.support.solitaire import begin

LIMIT = 100_000  # bytes


@pytest.fixture
def game(server):
    """Return the path of a game between two visitors."""
    return begin_game(Visitor(server), Visitor(server)).removeprefix(server.url)


@pytest.fixture
def entry(server, database_url):
    """Return a published entry's path, and its player."""
    hide_boards(database_url)
    program = Program(server)
    entry = program.http.post("/nugget/entries", json={"boards": new_record(detours=3)}).json()
    path = f"/nugget/entries/{entry['id']}"
    assert program.http.post(f"{path}/publish").is_success
    return path, program


def oembed(visitor, server, path, **params):
    return visitor.http.get("/oembed", params={"url": f"{server.url}{path}", **params})


def test_only_embedded_pages_may_be_framed(visitor, game, entry):
    path, _program = entry
    for each in (game, path, f"{path}/boards/1"):
        assert "frame-ancestors *" in visitor.http.get(f"/embed{each}").headers["content-security-policy"]
        assert "frame-ancestors 'none'" in visitor.http.get(each).headers["content-security-policy"]
    missing = visitor.http.get("/embed/games/nosuchthing")
    assert missing.status_code == 404
    assert "<form" not in missing.text
    assert "frame-ancestors *" in missing.headers["content-security-policy"]


def test_a_framed_page_neither_knows_its_reader_nor_acts(server, game):
    player = Visitor(server).register()
    page = player.http.get(f"/embed{game}?lang=pl")
    assert player.username not in page.text
    assert "<form" not in page.text
    assert "data-account" not in page.text
    assert "set-cookie" not in page.headers
    assert player.http.post(f"/embed{game}").status_code in (403, 405)


def test_a_theme_is_the_readers_unless_it_is_chosen(visitor, game):
    assert "prefers-color-scheme" in visitor.http.get(f"/embed{game}").text
    dark = visitor.http.get(f"/embed{game}?theme=dark").text
    assert 'data-theme="dark"' in dark
    assert "prefers-color-scheme" not in dark
    assert "prefers-color-scheme" not in visitor.http.get(f"{game}/film.svg?theme=light").text
    assert visitor.http.get(f"/embed{game}?theme=pink").status_code == 422


def test_all_of_a_page_is_light(visitor, game, entry):
    path, _program = entry
    for each in (game, path, f"{path}/boards/1"):
        page = visitor.http.get(f"/embed{each}").text
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        assert len(files) == 3
        whole = len(page) + sum(len(visitor.http.get(file).content) for file in files)
        assert whole < LIMIT


def test_films_are_light_however_long_they_are():
    play = Play(1, START)
    while len(play.made) < MOVE_LIMIT:
        forces = [force for force, push in pushes(play.board).items() if hasattr(push, "lifted")]
        play = play.pushed(forces[len(play.made) % len(forces)])
    drawn, shown = film_of_board(play, "system")
    assert len(drawn) < LIMIT
    assert shown.last == MOVE_LIMIT
    ET.fromstring(drawn)


def test_a_film_is_asked_for_again_only_if_it_has_changed(visitor, entry):
    path, _program = entry
    address = f"{path}/boards/1/film.svg"
    film = visitor.http.get(address)
    assert film.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "style-src 'unsafe-inline'" in film.headers["content-security-policy"]
    ET.fromstring(film.content)
    again = visitor.http.get(address, headers={"If-None-Match": film.headers["etag"]})
    assert again.status_code == 304
    assert visitor.http.get(f"{path}/boards/99/film.svg").status_code == 404


def test_oembed_describes_what_there_is(visitor, server, game, entry):
    path, program = entry
    for each in (game, path, f"{path}/boards/1"):
        page = visitor.http.get(each).text
        told = oembed(visitor, server, each, maxwidth=300, maxheight=200)
        assert told.headers["access-control-allow-origin"] == "*"
        described = told.json()
        assert (described["type"], described["version"]) == ("rich", "1.0")
        assert (described["width"], described["height"]) == (300, 200)
        assert f'src="{server.url}/embed{each}"' in described["html"]
        assert f"/oembed?url={quote(server.url + each)}" in page
    assert oembed(visitor, server, path).json()["author_name"] == program.username


def test_oembed_knows_only_its_own_site_and_json(visitor, server, game):
    assert visitor.http.get("/oembed", params={"url": f"https://elsewhere.example{game}"}).status_code == 404
    assert visitor.http.get("/oembed", params={"url": "http://[::1"}).status_code == 404
    assert oembed(visitor, server, "/help").status_code == 404
    assert oembed(visitor, server, "/games/nosuchthing").status_code == 404
    assert oembed(visitor, server, game, format="xml").status_code == 501
    assert visitor.http.get("/oembed").status_code == 422


def test_secret_moves_are_secret(server, database_url, visitor):
    hide_boards(database_url)
    program = Program(server)
    entry = program.http.post("/nugget/entries", json={"boards": new_record(detours=5)}).json()
    path = f"/nugget/entries/{entry['id']}"
    assert "<animate" not in visitor.http.get(f"/embed{path}").text
    assert "embed-film" in visitor.http.get(f"/embed{path}").text
    assert visitor.http.get(f"/embed{path}/boards/1").status_code == 403
    assert visitor.http.get(f"{path}/boards/1/film.svg").status_code == 403
    assert oembed(visitor, server, f"{path}/boards/1").status_code == 401


def test_a_board_of_a_race_is_hidden_until_it_is_over(server, visitor):
    program = Program(server)
    race = program.http.post("/races", json={"game": "up_and_up", "minutes": 5}).json()
    game = f"/games/{race['racers'][0]['game_id']}"
    assert visitor.http.get(f"/embed{game}").status_code == 404
    assert visitor.http.get(f"{game}/film.svg").status_code == 404
    assert oembed(visitor, server, game).status_code == 404


def test_a_withdrawn_entry_says_so(visitor, entry):
    path, program = entry
    assert "Withdrawn" not in visitor.http.get(f"/embed{path}").text
    assert program.http.post(f"{path}/withdraw").is_success
    assert "Withdrawn" in visitor.http.get(f"/embed{path}").text


def test_names_are_escaped(server, visitor):
    program = Program(server)
    page = visitor.http.get(f"/embed/games/{begin(program)}?theme=%22%3E%3Cscript%3E")
    assert "<script>" not in page.text


def test_pages_offer_what_to_copy(visitor, server, game, entry):
    path, _program = entry
    for page, shown in ((f"{game}/about", game), (path, path), (f"{path}/boards/1", f"{path}/boards/1")):
        assert f"&lt;iframe src=&#34;{server.url}/embed{shown}&#34;" in visitor.http.get(page).text
