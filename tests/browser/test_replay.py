"""Stepping through the moves of a game, during the game and afterwards."""

import pytest
from playwright.sync_api import expect

from tests.support.pages import wait_for_ply

pytestmark = pytest.mark.browser

MOVES = ("c4", "g6", "d4", "f6")


@pytest.fixture
def played(table):
    """Return both players' pages and the game's address after four moves."""
    black, white, game = table
    for ply, move in enumerate(MOVES):
        page = (black, white)[ply % 2]
        wait_for_ply(page, ply)
        page.click(f"#sq-{move} button")
    wait_for_ply(black, len(MOVES))
    return black, white, game


def assert_at(page, ply):
    expect(page.locator("#replay")).to_contain_text(f"Ply {ply} of")
    expect(page.locator("#replay svg[viewBox='0 0 40 40']")).to_have_count(ply)
    expect(page.locator("#board")).to_be_hidden()
    expect(page.locator("#moves [aria-current]")).to_have_count(1 if ply else 0)
    assert page.url.endswith(f"?ply={ply}")


def test_stepping_by_arrow_keys(played):
    black, _, game = played
    for key, ply in (("ArrowLeft", 3), ("ArrowLeft", 2), ("ArrowRight", 3), ("Home", 0), ("ArrowRight", 1)):
        black.keyboard.press(key)
        assert_at(black, ply)
    black.keyboard.press("End")
    expect(black.locator("#board")).to_be_visible()
    assert black.url == game


def test_fast_key_presses_are_not_lost(played):
    black, _, _ = played
    for _ in range(3):
        black.keyboard.press("ArrowLeft")
    assert_at(black, 1)


def test_stepping_by_links(played):
    black, _, game = played
    black.click("#moves a[href='?ply=2']")
    assert_at(black, 2)
    for label, ply in (("One ply back", 1), ("One ply on", 2), ("First position", 0)):
        black.click(f"#replay a[aria-label='{label}']")
        assert_at(black, ply)
    for rel, plies in (("next", (1, 2)), ("prev", (1, 0))):
        black.focus(f"#replay [rel={rel}]")
        for ply in plies:
            black.keyboard.press("Enter")
            assert_at(black, ply)
        expect(black.locator(f"#replay [rel={rel}]")).to_be_focused()
    black.click("#replay >> text=Back to the live board")
    expect(black.locator("#board")).to_be_visible()
    assert black.url == game


def test_a_link_to_a_ply_opens_that_ply(played, sit_down):
    _, _, game = played
    reader = sit_down()
    reader.goto(f"{game}?ply=2")
    assert_at(reader, 2)


def test_a_replay_stays_after_a_new_move_and_ends_if_its_position_is_taken_back(played):
    black, white, game = played
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
    white.click("#actions button:has-text('Accept')")
    expect(black.locator("#board")).to_be_visible()
    assert black.url == game
    wait_for_ply(white, 4)
    assert_at(white, 3)
