"""The home page: what a stranger sees of each game, what a regular goes on with, and how much it weighs."""

import re
from urllib.parse import urljoin

import pytest

from app.core.i18n.languages import LANGUAGES
from app.core.web.joined import FIRST_STYLES, MORE_STYLES, text_of
from app.learn.lessons.courses import COURSES
from tests.support.games import BLITZ
from tests.support.players import Match, Program, Visitor, begin_game
from tests.support.searches import SLOW, search, wanted
from tests.support.tournaments import member
from tests.support.waiting import WITHIN

_MOST_BYTES = 50 * 1024
_FORM = r'<form method="post" action="([^"]+)".*?</form>'
_WAITING = r'<li class="row-card[^"]*" id="((?:search|challenge)-[^"]+)"'
_SOURCES = (
    r'<link rel="(?:stylesheet|preload|icon)"[^>]*href="([^"]+)"',
    r'<script[^>]* src="([^"]+)"',
    r'<img src="([^"]+film\.svg)"',
)


def forms(page, action):
    """Return the fields and the buttons of the forms of an action, in the order of the page."""
    return [
        dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form[0]))
        for form in re.finditer(_FORM, page, re.DOTALL)
        if form[1] == action
    ]


@pytest.mark.parametrize("game", COURSES)
def test_a_stranger_sees_each_game_reads_what_it_is_and_can_play_and_learn_it(visitor, game):
    page = visitor.http.get("/").text
    cards = [each.partition("</article>")[0] for each in page.split("<article")]
    [card] = [each for each in cards if f'/rules/{game}/film.svg"' in each]
    assert str(COURSES[game].summary) in card
    assert f'href="/learn/{game}"' in card
    [(action, form)] = [(each[1], each[0]) for each in re.finditer(_FORM, card, re.DOTALL)]
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form))
    played = visitor.http.post(action, data=fields)
    assert played.status_code == 200
    assert re.match("/(games|nugget/runs)/", played.url.path)


def test_a_stranger_sees_the_boards_of_today(visitor):
    page = visitor.http.get("/").text
    paths = re.findall(r'<img src="([^"]+/board\.svg)"[^>]*loading="lazy"', page)
    assert [path.split("/")[1] for path in paths] == ["puzzles", "nugget", "solitaire", "solitaire"]
    for path in paths:
        picture = visitor.http.get(path)
        assert picture.headers["Content-Type"] == "image/svg+xml"
        assert picture.text.startswith("<svg")


def test_a_link_for_a_friend_takes_one_click_and_no_typing(visitor):
    [form] = forms(visitor.http.get("/").text, "/challenges")
    page = visitor.http.post("/challenges", data={**form, "clock": "5+3"})
    assert page.url.path.startswith("/challenges/")
    assert "5+3" in page.text
    assert f'value="{page.url}"' in page.text
    assert 'class="challenge-card-code"' in page.text  # the same as a QR code
    opponent = Visitor(visitor.server)
    assert opponent.http.post(f"{page.url.path}/accept").url.path.startswith("/games/")


def test_the_game_is_chosen_by_a_link(visitor):
    page = visitor.http.get("/?offer=jumping_farther").text
    for action in ("/challenges/pair", "/challenges", "/challenges/computer"):
        assert [form["game"] for form in forms(page, action)][-1] == "jumping_farther", action
    assert visitor.http.get("/?offer=chess").status_code == 200


def test_whoever_has_many_games_sees_some_in_which_it_is_their_turn_and_a_link_to_the_others(server, visitor):
    visitor.register()
    begun = [begin_game(visitor, Visitor(server), side=side) for side in ("black", "white") for _ in range(6)]
    page = visitor.http.get("/").text
    shown = re.findall(r'class="mini-link" href="(/games/\w+)"', page.partition("Your turn in 6 games")[2])
    assert set(begun[:6]) <= set(shown[:8])
    assert '<a href="/games">All your games (12 under way)</a>' in page
    lobby = visitor.http.get("/lobby").text
    assert "Your turn: 6" in lobby
    assert "mini-link" not in lobby


def test_the_games_are_pushed_to_the_home_page(server):
    program = Program(server)
    visitor = member(server, program.username)
    with visitor.live("/home/live") as connection:
        connection.recv()
        game = begin_game(visitor, Visitor(server))
        while game not in connection.recv():
            pass


def test_the_home_page_is_not_sent_again_what_it_shows(server):
    program = Program(server)
    visitor = member(server, program.username)
    before = visitor.http.get("/").text
    game = begin_game(visitor, Visitor(server))
    after = visitor.http.get("/").text
    address = re.compile(r'data-hx-ws-connect="(/home/live[^"]*)"')
    with visitor.live(address.search(before)[1]) as connection:
        assert game in connection.recv(timeout=WITHIN)
    with visitor.live(address.search(after)[1]) as connection:
        assert connection.recv(timeout=WITHIN) == '{"type":"heartbeat"}'  # it is connected
        with pytest.raises(TimeoutError):
            connection.recv(timeout=1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_of_a_stranger_is_light(visitor, language):
    visitor.http.headers.update({"Accept-Encoding": "br", "Accept-Language": language})
    seen = {}

    def load(path):
        if path in seen:
            return
        answer = visitor.http.get(path)
        assert answer.status_code == 200, path
        text = answer.content
        seen[path] = size_of(answer)
        if path.endswith(".js"):
            for imported in re.findall(rb'from "(\./[^"]+)"', text):
                load(urljoin(path, imported.decode()))

    page = visitor.http.get("/")
    seen["/"] = size_of(page)
    for pattern in _SOURCES:
        for path in re.findall(pattern, page.text):
            load(path)
    for path in fonts(page.text):
        load(f"/static/{path}")
    assert sum(seen.values()) <= _MOST_BYTES, (sum(seen.values()), seen)


def fonts(text):
    """Yield the paths of the other fonts of which a browser needs letters."""
    for face in text_of(FIRST_STYLES).decode().split("@font-face")[2:]:
        pairs = re.findall(r"U\+(\w+)(?:-(\w+))?", face)
        ranges = [range(int(first, 16), int(last or first, 16) + 1) for first, last in pairs]
        if any(ord(letter) in each for letter in text for each in ranges):
            yield re.search(r'url\("([^"]+)"', face)[1]


def test_the_first_page_of_a_stranger_has_all_styles_that_it_needs(server, visitor):
    Match(server).play("c4", "g6", "d4", "f6", "e4", "e6", "c6", "g4")  # it is shown, too
    page = visitor.http.get("/").text
    assert "mini-link" in page
    assert MORE_STYLES not in page
    used = {name for names in re.findall(r'class="([^"]*)"', page) for name in names.split()}
    for selector in re.findall(r"[^{};]+(?=\{)", text_of(MORE_STYLES).decode()):
        for each in re.split(r",(?![^(]*\))", selector):
            classes = {*re.findall(r"\.([a-z][\w-]*)", each)}
            assert not classes or classes - used, each


def size_of(answer):
    """Return the bytes of an answer that are transferred, as browsers state them: headers count as 300."""
    return answer.num_bytes_downloaded + 300


def test_next_game_visits_each_turn_once_wherever_one_begins(server, visitor):
    visitor.register()
    games = {begin_game(visitor, Visitor(server)).rpartition("/")[2] for _ in range(4)}
    for begun in games:
        after, visited = begun, []
        for _ in games:
            path = visitor.http.get(f"/games/next?after={after}").url.path
            after = path.rpartition("/")[2]
            visited.append(after)
        assert set(visited) == games
        assert after == begun


def test_home_shows_the_first_of_those_who_wait_in_the_lobby(server, program, visitor):
    for _ in range(3):
        Program(server).challenge(time_control=BLITZ)
    search(program, wanted(9, 10, clocks=[SLOW]))  # which fits none of them
    home, lobby = (re.findall(_WAITING, visitor.http.get(path).text) for path in ("/", "/lobby"))
    program.http.delete("/me/search")
    assert f"search-{program.username}" in home
    assert home == lobby[: len(home)]
    assert len(home) >= min(4, len(lobby))
