"""Forms that are sent twice, by a double click or after a lost answer, and texts that stay in their lines."""

import contextlib
import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Error, expect

from tests.support.database import execute, fetch
from tests.support.games import lost_rated_game
from tests.support.pages import open_pane
from tests.support.players import Match, Program, Visitor, fresh_name, make_old
from tests.support.waiting import wait_until

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740}
_MARGIN = 8  # pixels
PILE = "a" + "\u0300\u0316\u0489" * 130
_UNPILE = """element => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(/\\p{M}{3,}/gu, '');
}"""
_PRESS_TWICE = """() => {
    const button = document.querySelector('#write button');
    return [1, 2].map(() => {
        const before = button.form.getAttribute('aria-busy');
        button.click();
        return before;
    });
}"""


# What is made: the page, its form, what is typed, and the table and column that tell whose it is.
DOUBLE = {
    "game against the computer": ("/", "/challenges/computer", {}, "games", "first_player, second_player"),
    "run": ("/nugget", "/nugget/runs", {}, "nugget_runs", "account_id"),
    "race": ("/solitaire", "/races", {}, "races", "maker_id"),
    "challenge": ("/lobby", "/challenges", {}, "challenges", "maker_id"),
    "message": ("/messages/{other}", "/messages/{other}", {"text": lambda: "Hello"}, "messages", "author_id"),
    "tournament": (
        "/tournaments/new?kind=arena",
        "/tournaments/new",
        {"name": lambda: fresh_name("Cup")},
        "tournaments",
        "organiser_id",
    ),
}


@pytest.fixture
def player(server, database_url):
    """Return a visitor who may make everything, and another player."""
    account, other = Program(server), Program(server)
    lost_rated_game(account, other)
    make_old(database_url, account)
    visitor = Visitor(server).log_in(account.username)
    visitor.username = account.username
    return visitor, other


def number(database_url, player, table, columns):
    """Return how many rows of a table belong to a player."""
    query = f"SELECT count(*) FROM {table} JOIN accounts ON accounts.id IN ({columns}) WHERE username = $1"
    return fetch(database_url, query, player.username)[0]


@pytest.mark.parametrize("made", DOUBLE)
def test_a_double_click_makes_one(sit_down, player, database_url, made):
    visitor, other = player
    path, action, fields, *whose = DOUBLE[made]
    page = sit_down(visitor=visitor)
    page.goto(path.format(other=other.username))
    for name, text in fields.items():
        page.fill(f"[name={name}]", text())
    before = number(database_url, visitor, *whose)
    form = page.locator(f"form[method=post][action='{action.format(other=other.username)}']").first
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        form.locator("button:visible").last.dblclick(delay=20)
    page.wait_for_load_state()
    page.wait_for_timeout(300)
    assert number(database_url, visitor, *whose) == before + 1
    page.wait_for_load_state()
    with contextlib.suppress(Error):  # the page was still on its way to what was made
        page.goto("/robots.txt")  # closing it then may never end


def test_a_form_says_that_it_is_under_way_and_is_not_sent_again(sit_down, player, database_url):
    visitor, other = player
    page = sit_down(visitor=visitor)
    page.goto(f"/messages/{other.username}")
    page.fill("[name=text]", "Hello")
    sent = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    with page.expect_navigation():
        assert page.evaluate(_PRESS_TWICE) == [None, "true"]
    expect(page.locator(".letters-text")).to_have_count(1)
    assert len([request for request in sent if "/read" not in request.url]) == 1
    assert page.locator("#write").get_attribute("aria-busy") is None


def _cut(route):
    route.abort()


def _fail(route):
    route.fulfill(status=503, content_type="text/html", body="<h1>Service unavailable</h1>")


def _fail_with_a_page(route):
    error = route.fetch(url=urljoin(route.request.url, "/no-such-page"), method="GET")
    route.fulfill(response=error, status=503)


LOST = [_cut, _fail, _fail_with_a_page]
"""What comes in the place of an answer that is lost: nothing, a proxy's page, or our own."""


def lose_answers(page, pattern, lost):
    """Let the requests of a page reach the server, but lose their answers."""

    def lose(route):
        route.fetch(max_redirects=0)
        lost(route)

    page.route(pattern, lose)


@pytest.mark.parametrize("lost", LOST)
def test_a_form_that_is_sent_again_after_a_lost_answer_is_carried_out_once(
    sit_down, player, database_url, lost
):
    visitor, _ = player
    page = sit_down(visitor=visitor)
    page.goto("/solitaire")
    lose_answers(page, "**/races", lost)
    page.locator("form[action='/races'] button").first.click()
    wait_until(lambda: number(database_url, visitor, "races", "maker_id") == 1)
    page.wait_for_timeout(500)
    page.unroute("**/races")
    page.go_back()
    page.locator("form[action='/races'] button").first.click()
    page.wait_for_url("**/races/*")
    assert number(database_url, visitor, "races", "maker_id") == 1


def test_who_comes_back_to_a_page_makes_another_one(sit_down, player, database_url):
    visitor, _ = player
    page = sit_down(visitor=visitor)
    page.goto("/solitaire")
    for count in (1, 2):
        page.locator("form[action='/races'] button").first.click()
        page.wait_for_url("**/races/*")
        assert number(database_url, visitor, "races", "maker_id") == count
        page.go_back()
        page.wait_for_url("**/solitaire")


def open_chat(sit_down, server, database_url):
    """Return a game, and the page of a player who may write in its chat, which is open."""
    match = Match(server)
    lost_rated_game(match.white, match.black)
    make_old(database_url, match.black)
    page = sit_down(visitor=logged_in(server, match.black))
    page.goto(f"/games/{match.id}")
    open_pane(page, "chat")
    return match, page


def test_two_lines_of_chat_may_be_the_same(sit_down, server, database_url):
    _match, page = open_chat(sit_down, server, database_url)
    for count in (1, 2):
        page.fill(".chat-form [name=text]", "Hm")
        page.locator(".chat-form button").last.click()
        expect(page.locator(".chat-lines li")).to_have_count(count)


@pytest.mark.parametrize("lost", LOST)
def test_a_line_of_chat_is_sent_once_although_the_chat_was_drawn_again(sit_down, server, database_url, lost):
    match, page = open_chat(sit_down, server, database_url)
    lose_answers(page, "**/chat", lost)
    page.fill("#chat-text-players", "Hm")
    page.press("#chat-text-players", "Enter")
    lines = page.locator("#chat-players li")
    expect(lines).to_have_count(1)
    match.white.http.post(f"/games/{match.id}/resign")
    expect(page.locator("#chat-spectators")).to_be_attached()
    page.unroute("**/chat")
    for words in ("Hm", "Well played"):
        page.fill("#chat-text-players", words)
        page.press("#chat-text-players", "Enter")
        expect(page.locator("#chat-text-players")).to_have_value("")
    expect(lines).to_have_text([re.compile("Hm"), re.compile("Well played")])


def logged_in(server, program):
    return Visitor(server).log_in(program.username)


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
def test_piles_of_marks_leave_their_neighbours_alone(sit_down, player, database_url, viewport):
    """They are stored as an earlier version did, without a bound."""
    visitor, other = player
    made = visitor.http.post("/teams/new", data={"name": fresh_name("Team"), "text": "Text", "join": "open"})
    team = made.url.path
    study = visitor.http.post("/studies", data={"game": "up_and_up", "title": "Study"}).url.path
    visitor.http.post("/account/profile", data={"text": "Me"})
    visitor.http.post(f"/messages/{other.username}", data={"text": "Hello"})
    execute(database_url, "UPDATE teams SET name = $1 || id, text = $1", PILE)
    execute(database_url, "UPDATE studies SET title = $1", PILE)
    execute(database_url, "UPDATE profiles SET text = $1", PILE)
    execute(database_url, "UPDATE messages SET text = $1", PILE)
    options = {"viewport": viewport} if viewport else {}
    page = sit_down(visitor=visitor, **options)
    for path, text in (
        (team, "main h1"),
        (study, "main h1"),
        (f"/players/{visitor.username}", ".player-head .page-lines"),
        (f"/messages/{other.username}", ".letters-text"),
    ):
        page.goto(path)
        page.evaluate("document.fonts.ready")
        box = page.locator(text).first.bounding_box()
        piled = above(page, box)
        page.locator(text).first.evaluate(_UNPILE)
        assert above(page, box) == piled, path


def above(page, box):
    """Return the pixels above the beginning of a box, where its marks would be piled."""
    height = min(box["y"] - _MARGIN, 60)
    place = {"x": max(box["x"] - 20, 0), "y": box["y"] - _MARGIN - height, "width": 100, "height": height}
    return page.screenshot(clip=place)


def test_a_line_of_chat_that_comes_twice_is_shown_once(sit_down, server, database_url):
    _match, page = open_chat(sit_down, server, database_url)
    page.fill("#chat-text-players", "Hm")
    page.press("#chat-text-players", "Enter")
    lines = page.locator("#chat-players li")
    expect(lines).to_have_count(1)
    page.evaluate("""() => {
        const line = document.querySelector("#chat-players li").outerHTML;
        const game = document.getElementById("game");
        const text = `<hx-partial hx-target="#chat-players" hx-swap="beforeend">${line}</hx-partial>`;
        return htmx.swap({ sourceElement: game, target: game, swap: "none", text });
    }""")
    expect(lines).to_have_count(1)
