"""A correspondence game in two browsers: conditional moves, a vacation, and windows of all shapes."""

import pytest
from playwright.sync_api import expect

from tests.support.pages import accept, offer_game, open_question, wait_for_ply
from tests.support.players import Visitor

pytestmark = pytest.mark.browser


COVERED = """
() => {
  const box = document.querySelector(".ask[open] .ask-box").getBoundingClientRect();
  const isCovered = ({ left, right, top, bottom }) =>
    left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  return [...document.querySelectorAll(".clock, .board")]
    .filter((shown) => isCovered(shown.getBoundingClientRect())).length;
}
"""


def assert_questions_hide_nothing(page):
    open_question(page, "Resign")
    expect(page.locator("#choices .ask[open] .ask-box")).to_be_in_viewport(ratio=1)
    assert page.evaluate(COVERED) == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.click("button:has-text('Keep playing')")
    page.keyboard.press("Escape")
    expect(page.locator(".menu-box")).to_be_hidden()
    page.evaluate("scrollTo(0, 0)")


def test_a_whole_game_by_conditional_moves_with_a_vacation_in_it(sit_down, server):
    names = "wren-by-post", "robin-by-post"
    black, white = (sit_down(visitor=Visitor(server).register(name)) for name in names)
    game = accept(white, offer_game(black, clock="correspondence", opponent="link"))
    black.wait_for_url(game)
    black.click("#sq-c4 button")
    wait_for_ply(black, 1)
    black.goto(f"{game}/conditions")
    black.locator("details:has(#conditions-text) summary").click()
    black.fill("#conditions-text", "f6 d4 g7 e5 pass pass\nh8 d4")
    black.click("form:has(#conditions-text) button:text-is('Save')")
    black.goto(game)
    white.goto("/account/vacation")
    white.fill("#field-days", "3")
    white.get_by_role("button", name="Go on vacation").click()
    end_of_vacation = white.get_by_role("button", name="End the vacation")
    expect(end_of_vacation).to_be_visible()
    expect(black.get_by_text("robin-by-post is on vacation until")).to_be_visible()
    white.goto(game)
    white.click("#sq-f6 button")
    wait_for_ply(white, 3)  # with the answer
    expect(white.get_by_text("robin-by-post is on vacation until")).to_be_visible()
    expect(white.locator("#conditions")).to_have_text("")
    expect(black.get_by_text("1 line was dropped: it did not fit any more after f6.")).to_be_visible()
    white.goto("/account/vacation")
    end_of_vacation.click()
    expect(end_of_vacation).to_have_count(0)
    expect(black.get_by_text("is on vacation")).to_have_count(0)
    white.goto(game)
    for width, height in ((1280, 720), (640, 400), (844, 390), (360, 740)):
        white.set_viewport_size({"width": width, "height": height})
        for shown in ("#board .board", "#seat-top .clock", "#seat-bottom .clock"):
            expect(white.locator(shown)).to_be_in_viewport(ratio=0.99)
        assert_questions_hide_nothing(white)
    white.click("#sq-g7 button")
    wait_for_ply(white, 5)
    white.click("#actions summary:has-text('Pass')")
    white.click("#actions button[value=pass]")
    for page in (white, black):
        wait_for_ply(page, 7)
        expect(page.locator("#turn .turn-count")).to_be_visible()


def test_a_line_is_entered_with_ones_own_move(sit_down, server):
    black, white = (sit_down(visitor=Visitor(server).register()) for _ in range(2))
    game = accept(white, offer_game(black, clock="correspondence", opponent="link"))
    black.wait_for_url(game)
    black.evaluate("document.documentElement.dataset.confirm = 'always'")
    black.click("#sq-c4 button")
    black.click("#confirm a:text-is('Add conditional moves')")
    for prompt, square in (("If your opponent plays…", "f6"), ("Your answer", "d4")):
        expect(black.locator(".turn-text")).to_have_text(prompt)
        black.click(f"#sq-{square} button")
    black.click("button:text-is('Play c4 and add this line')")
    expect(black.locator(".conditions-lines li")).to_have_count(1)
    wait_for_ply(white, 1)
    white.click("#sq-f6 button")
    wait_for_ply(white, 3)
