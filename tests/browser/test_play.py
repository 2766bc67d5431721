"""Two people, two browsers, one game of JadeJack from the first disk to the counted score."""

import random

import pytest
from playwright.sync_api import expect

from engine import jadejack, squares
from engine.registry import GAMES
from tests.browser.conftest import accept, offer_game
from tests.support.players import fresh_name

RULES = GAMES["jadejack"]
pytestmark = pytest.mark.browser


def wait_for_ply(page, ply):
    expect(page.locator("#moves a[href*='ply=']")).to_have_count(ply)


def playable(page):
    return sorted(page.eval_on_selector_all("#board [role=gridcell] button", "all => all.map(b => b.value)"))


def scores(page):
    return {side: page.inner_text(f".seat-{side} .seat-score .figure").strip() for side in ("black", "white")}


def assert_shows(page, position, *, to_play):
    legal = sorted(move for move in RULES.legal_moves(position) if move != "pass") if to_play else []
    assert playable(page) == legal
    expected = {side: f"{points:g}" for side, points in RULES.score(position).items()}
    assert scores(page) == expected


def test_a_whole_game_in_two_browsers_while_a_third_watches(sit_down):
    black, white, watcher = sit_down(name=fresh_name()), sit_down(), sit_down()
    white.goto("/lobby")
    challenge = offer_game(black).rsplit("/", 1)[1]
    white.click(
        f"form[action='/challenges/{challenge}/accept'] button"
    )  # it came to the open lobby by itself
    white.wait_for_url("**/games/*")
    black.wait_for_url(white.url)
    watcher.goto(white.url)
    position, rng = RULES.initial({"size": 9}), random.Random(3)
    for ply in range(26):
        mover = (black, white)[ply % 2]
        for page in (black, white, watcher):
            wait_for_ply(page, ply)
            assert_shows(page, position, to_play=page is mover)
        move = rng.choice([move for move in RULES.legal_moves(position) if move != "pass"])
        mover.click(f"#sq-{move} button")
        position = RULES.play(position, move)
    for ply, page in ((26, black), (27, white)):
        wait_for_ply(page, ply)
        page.click("#actions summary:has-text('Pass')")
        page.click("#actions button[value=pass]")
        position = RULES.play(position, "pass")
    score = RULES.score(position)
    winner = max(score, key=score.get)
    for page in (black, white, watcher):
        expect(page.locator("#turn")).to_contain_text(f"{winner.capitalize()} wins by")
        assert_shows(page, position, to_play=False)
        for name, side in zip(squares.names(9), jadejack.territory(position), strict=True):
            classes = page.get_attribute(f"#sq-{name}", "class").split()
            assert (f"{side}-point" in classes) == (side is not None)


def test_a_page_catches_up_after_its_connection_was_lost(table):
    black, white, _ = table
    sockets, is_down = [], False

    def route(socket):
        if is_down:
            socket.close(code=1013)
        else:
            socket.connect_to_server()
            sockets.append(socket)

    black.route_web_socket("**/games/*/live", route)
    black.reload()
    black.click("#sq-c4 button")
    wait_for_ply(white, 1)
    is_down = True
    sockets[-1].close(code=1012)
    expect(black.locator("#connection")).to_be_visible()
    white.click("#sq-g6 button")
    wait_for_ply(white, 2)
    assert black.locator("#sq-g6 svg").count() == 0
    is_down = False
    expect(black.locator("#connection")).to_be_hidden(timeout=15_000)
    wait_for_ply(black, 2)
    assert "g7" not in playable(black)
    assert "a1" in playable(black)


def test_without_scripts(sit_down, server):
    black, white = sit_down(name=fresh_name(), java_script_enabled=False), sit_down(java_script_enabled=False)
    accept(white, offer_game(black, opponent="link"))
    black.goto(white.url)
    black.click("#sq-c4 button")
    assert black.locator("#sq-c4 svg").count() == 1
    white.reload()
    white.click("#actions summary:has-text('Pass')")
    white.click("#actions button[value=pass]")
    black.reload()
    black.click("#actions summary:has-text('Resign')")
    black.click("form[action$='/resign'] button")
    assert "White wins by resignation" in black.inner_text("#turn")


def test_by_keyboard_alone(table):
    black, white, _ = table
    black.focus("#board [role=gridcell][tabindex='0']")
    start = black.evaluate("document.activeElement.id")
    black.keyboard.press("ArrowRight")
    assert black.evaluate("document.activeElement.id") != start
    assert black.locator("#board [tabindex='0']").count() == 1
    target = black.evaluate("document.activeElement.id")
    black.keyboard.press("Enter")
    expect(white.locator(f"#{target} svg")).to_be_visible()
    expect(black.locator(f"#{target} svg")).to_be_visible()
    assert black.evaluate("document.activeElement.id") == target


def test_replay_leaves_the_live_board_alone(table):
    black, white, game = table
    black.click("#sq-c4 button")
    wait_for_ply(white, 1)
    white.click("#sq-g6 button")
    wait_for_ply(black, 2)
    black.goto(f"{game}?ply=1")
    expect(black.locator("#replay")).to_contain_text("Ply 1 of 2")
    expect(black.locator("#board")).to_be_hidden()


def test_the_strength_view_shows_numbers(table):
    black, _, _ = table
    black.click("#sq-c4 button")
    numbers = black.locator("#sq-c5 .str")
    expect(numbers).to_be_hidden()
    black.check("input[type=checkbox]", force=True)
    black.hover("#sq-c5")
    expect(numbers).to_be_visible()
