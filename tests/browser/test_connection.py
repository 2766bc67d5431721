"""A page whose connection is lost or silent catches up with the game."""

import itertools
import time

import pytest
from playwright.sync_api import expect

from tests.support.pages import open_question, playable, wait_for_ply
from tests.support.players import Program, Visitor
from tests.support.solitaire import begin, random_games

pytestmark = pytest.mark.browser


def test_a_page_catches_up_after_its_connection_was_lost(table):
    black, white, _ = table
    sockets, attempts, is_down = [], [], False

    def route(socket):
        attempts.append(time.monotonic())
        if is_down:
            socket.close(code=1013)
        else:
            socket.connect_to_server()
            sockets.append(socket)

    black.route_web_socket("**/games/*/live?*", route)
    black.reload()
    black.click("#sq-c4 button")
    wait_for_ply(white, 1)
    is_down = True
    attempts.clear()
    restarted_at = time.monotonic()
    sockets[-1].send('{"type":"restart","retry_after":2}')
    sockets[-1].close(code=1012)
    expect(black.locator("#connection")).to_be_visible()
    white.click("#sq-g6 button")
    wait_for_ply(white, 2)
    assert black.locator("#sq-g6 svg").count() == 0
    # The game goes on elsewhere meanwhile: a premove of this page was not meant for what comes after that.
    black.click("#sq-a1")
    elsewhere = black.context.new_page()
    elsewhere.goto(black.url)
    elsewhere.click("#sq-c7 button")
    wait_for_ply(white, 3)
    white.click("#sq-g3 button")
    wait_for_ply(white, 4)
    is_down = False
    expect(black.locator("#connection")).to_be_hidden()
    wait_for_ply(black, 4)
    expect(black.locator("#remark")).to_contain_text("Your premove a1 is not possible any more.")
    assert "g7" not in playable(black)
    assert "a1" in playable(black)
    assert attempts[0] - restarted_at > 1.9  # it came back when the server had asked it to


# Notes each text of the banner.
WATCH_BANNER = """
banners = [];
new MutationObserver(() => banners.push(document.querySelector("#connection").textContent))
  .observe(document.querySelector("#connection"), { childList: true });
"""


def test_a_connection_that_is_refused_is_tried_less_and_less_often_and_the_banner_stays(table):
    black, *_ = table
    sockets, attempts, is_down = [], [], False

    def route(socket):
        sockets.append(socket)
        attempts.append(time.monotonic())
        if not is_down:
            socket.connect_to_server()

    black.route_web_socket("**/games/*/live?*", route)
    black.reload()
    expect(black.locator("#alerts")).to_have_attribute("data-count", "0")
    black.evaluate(WATCH_BANNER)
    is_down = True
    sockets.pop().close(code=1013)
    attempts.clear()
    while len(attempts) < 4:
        black.wait_for_timeout(20)
        while sockets:  # it is open already, as where the server refuses it
            sockets.pop().close(code=1013, reason="too_many_connections")
    first, second, third = (later - earlier for earlier, later in itertools.pairwise(attempts))
    assert first > 0.6  # a second, more or less
    assert second > 1.3
    assert third > 2.7
    expect(black.locator("#connection")).to_contain_text("too many pages open")
    is_down = False
    expect(black.locator("#connection")).to_be_hidden()
    assert [text[:15] for text in black.evaluate("banners")] == ["Connection lost", "You have too ma", ""]


def test_after_a_log_out_in_another_tab_a_page_says_that_it_is_not_live_any_more(table):
    black, _, _ = table
    is_down = False

    def route(socket):
        if is_down:
            socket.close(code=1013)
        else:
            sockets.append(socket)
            socket.connect_to_server()

    sockets = []
    black.route_web_socket("**/games/*/live?*", route)
    black.reload()
    expect(black.locator("#alerts")).to_have_attribute("data-count", "0")
    is_down = True
    sockets[-1].close(code=1013)
    elsewhere = black.context.new_page()
    elsewhere.goto("/account")
    elsewhere.click("form[action='/logout'] button")
    expect(black.locator("#connection")).to_contain_text("no longer live")
    # The game is open to spectators, but the page is that of a player, so the server refuses its connection.
    is_down = False
    black.wait_for_timeout(1500)
    expect(black.locator("#connection")).to_contain_text("no longer live")


def lose_what_pages_send(socket):
    socket.connect_to_server()
    socket.on_message(lambda _message: None)


def test_a_move_whose_answer_is_lost_is_sent_again_and_played_once(table):
    black, white, _ = table
    posted, held, is_silent = [], [], False

    def route(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: None if is_silent else socket.send(message))

    def hold(form):
        held.append(form)

    black.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    black.route_web_socket("**/games/*/live?*", route)
    black.route("**/games/*/moves", hold)
    black.reload()
    expect(black.locator("#attendance[data-here]")).to_have_count(1)  # it came over the connection
    is_silent = True
    black.click("#sq-c4 button")
    wait_for_ply(white, 1)
    expect(black.locator("#remark")).to_contain_text("c4")
    while not held:
        black.wait_for_timeout(20)
    held[0].continue_()
    wait_for_ply(black, 1)
    expect(black.locator("#remark")).to_be_empty()
    assert [url.rsplit("/", 1)[1] for url in posted] == ["moves"]
    assert black.locator("#notice").inner_text() == ""


def test_after_an_unanswered_move_the_next_is_a_request_until_something_comes(sit_down, server):
    program = Program(server)
    game, (first, second, third, *_) = begin(program), min(random_games("up_and_up", 4).values())
    page = sit_down(visitor=Visitor(server).log_in(program.username))
    sockets, posted, is_silent = [], [], False

    def route(socket):
        server = socket.connect_to_server()
        server.on_message(lambda message: None if is_silent else socket.send(message))
        sockets.append(socket)

    page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    page.route_web_socket("**/games/*/live?*", route)
    page.clock.install()
    page.goto(f"/games/{game}")
    expect(page.locator("#alerts")).to_have_attribute("data-count", "0")
    is_silent = True
    page.click(f"#sq-{first} button")
    page.clock.run_for(2_500)
    wait_for_ply(page, 1)
    assert len(posted) == 1
    page.click(f"#sq-{second} button")  # the clock stands still: nothing is waited for
    wait_for_ply(page, 2)
    assert len(posted) == 2
    is_silent = False
    sockets[-1].send('{"type":"heartbeat"}')
    page.click(f"#sq-{third} button")
    wait_for_ply(page, 3)
    assert len(posted) == 2


def test_a_silent_connection_is_replaced(table):
    black, white, _ = table
    sockets, swallowed, is_silent = [], [], False

    def route(socket):
        server = socket.connect_to_server()
        sockets.append(socket)
        server.on_message(lambda message: swallowed.append(message) if is_silent else socket.send(message))

    black.route_web_socket("**/games/*/live?*", route)
    black.clock.install()
    black.reload()
    black.click("#sq-c4 button")
    wait_for_ply(white, 1)
    is_silent = True
    white.click("#sq-g6 button")
    wait_for_ply(white, 2)
    while not any('data-ply="2"' in message for message in swallowed):
        white.wait_for_timeout(20)
    assert black.locator("#sq-g6 svg").count() == 0
    assert len(sockets) == 1
    is_silent = False
    black.clock.run_for(60_000)  # twice the limit for a silent connection, and the pause before a retry
    wait_for_ply(black, 2)
    assert len(sockets) == 2


def test_a_move_that_does_not_get_through_is_kept_and_sent_again(table):
    black, white, _ = table
    black.context.set_offline(True)
    black.evaluate("document.documentElement.dataset.confirm = 'always'")
    black.click("#sq-c4 button")
    black.click("#confirm button")
    expect(black.locator("#remark")).to_contain_text("your move is kept")
    expect(black.locator("#confirm")).to_be_hidden()
    open_question(black, "Abort")
    black.click("form[action$='/abort'] button")
    expect(black.locator("#notice")).to_contain_text("That did not get through.")
    black.context.set_offline(False)
    wait_for_ply(white, 1)
    expect(black.locator("#remark")).to_be_empty()
    # The page of a move that is on its way is left; the next page sends it, too late.
    elsewhere = white.context.new_page()
    elsewhere.goto(white.url)
    white.route("**/moves", lambda route: route.abort())
    white.route_web_socket("**/games/*/live?*", lose_what_pages_send)
    white.reload()
    white.click("#sq-g6 button")
    expect(white.locator("#remark")).to_contain_text("your move is kept")
    elsewhere.click("#sq-g5 button")
    wait_for_ply(black, 2)
    game = white.url
    white.goto("/about")  # from here on nothing tries to send the move
    white.unroute("**/moves")
    white.goto(game)
    expect(white.locator("#notice")).to_contain_text("Your move (g6) was not played.")
    expect(white.locator("#sq-g6 svg")).to_have_count(0)
