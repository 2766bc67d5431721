"""Stepping through the moves of a game, during the game and afterwards."""

import uuid

import pytest
from playwright.sync_api import expect

from tests.support.pages import wait_for_ply
from tests.support.players import Visitor, begin_game

pytestmark = pytest.mark.browser

MOVES = ("c4", "g6", "d4", "f6")


@pytest.fixture
def played(server):
    """Return both players and the game's path after four moves."""
    players = Visitor(server).register(), Visitor(server)
    game = begin_game(*players)
    for ply, move in enumerate(MOVES):
        form = {"move": move, "ply": ply, "move_id": str(uuid.uuid4())}
        assert players[ply % 2].http.post(f"{game}/moves", data=form).is_success
    return *players, game


@pytest.fixture
def replay(played, sit_down):
    """Return Black's page at the game, and the game's address."""
    black, _, game = played
    page = sit_down(visitor=black)
    page.goto(game)
    return page, page.url


def assert_at(page, ply):
    expect(page.locator("#past")).to_contain_text(f"Move {ply} of")
    expect(page.locator("#replay svg[viewBox='0 0 40 40']")).to_have_count(ply)
    expect(page.locator("#board")).to_be_hidden()
    expect(page.locator("#moves [aria-current]")).to_have_count(1 if ply else 0)
    assert page.url.endswith(f"?ply={ply}")


def test_stepping_by_arrow_keys(replay):
    black, game = replay
    for key, ply in (("ArrowLeft", 3), ("ArrowLeft", 2), ("ArrowRight", 3), ("Home", 0), ("ArrowRight", 1)):
        black.keyboard.press(key)
        assert_at(black, ply)
    black.keyboard.press("End")
    expect(black.locator("#board")).to_be_visible()
    assert black.url == game


def test_fast_key_presses_are_not_lost(replay):
    black, _ = replay
    for _ in range(3):
        black.keyboard.press("ArrowLeft")
    assert_at(black, 1)


def test_stepping_by_links(replay):
    black, game = replay
    black.click("#moves a[href='?ply=2']")
    assert_at(black, 2)
    for label, ply in (("One move back", 1), ("One move on", 2)):
        black.click(f".screen-steps a[aria-label='{label}']")
        assert_at(black, ply)
    black.keyboard.press("Home")
    assert_at(black, 0)
    for rel, plies in (("next", (1, 2)), ("prev", (1, 0))):
        black.focus(f".screen-steps [rel={rel}]")
        for ply in plies:
            black.keyboard.press("Enter")
            assert_at(black, ply)
        expect(black.locator(f"#replay-{rel}")).to_be_focused()
    black.click("text=Back to the live board")
    expect(black.locator("#board")).to_be_visible()
    assert black.url == game


def test_a_link_to_a_ply_opens_that_ply(played, sit_down):
    _, _, game = played
    reader = sit_down()
    reader.goto(f"{game}?ply=2")
    assert_at(reader, 2)


def test_a_past_position_of_a_finished_game_is_analysed(replay, played):
    black, _ = replay
    link = black.locator("#past a:text-is('Analyse')")
    black.keyboard.press("Home")
    assert_at(black, 0)
    expect(link).to_have_count(0)
    played[0].http.post(f"{played[2]}/resign")
    expect(black.locator("#version[data-status=finished]")).to_have_count(1)
    black.keyboard.press("ArrowRight")
    assert_at(black, 1)
    link.click()
    black.wait_for_url("**/analysis/**at=1")


def test_a_replay_stays_after_a_new_move_and_ends_if_its_position_is_taken_back(replay, played, sit_down):
    black, game = replay
    white = sit_down(visitor=played[1])
    white.goto(game)
    white.keyboard.press("ArrowLeft")
    white.keyboard.press("ArrowLeft")
    assert_at(white, 2)
    black.click("#sq-b2 button")
    wait_for_ply(white, 5)
    assert_at(white, 2)
    white.keyboard.press("End")
    expect(white.locator("#sq-b2 svg")).to_be_visible()
    for page, ply in ((black, 4), (white, 4), (white, 3)):
        page.keyboard.press("ArrowLeft")
        assert_at(page, ply)
    black.click("button:has-text('Take back')")
    white.click("#turn button:has-text('Accept')")
    expect(black.locator("#board")).to_be_visible()
    assert black.url == game
    wait_for_ply(white, 4)
    assert_at(white, 3)
