"""A game by keyboard alone: Tab moves to the board and the buttons, arrow keys move between squares."""

import random
import re

import pytest
from playwright.sync_api import expect

from engine import squares
from tests.support.pages import RULES, assert_shows, open_question, wait_for_ply

pytestmark = pytest.mark.browser

FOCUSED = "document.activeElement.id"


def press_until(page, key, is_there):
    for _ in range(60):
        if page.evaluate(f"{is_there}"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never reached {is_there}")


def walk_to(page, square):
    """Move to a square of the 9×9 board by Tab and arrow keys."""
    press_until(page, "Tab", "document.activeElement.closest('#board [role=gridcell]') !== null")
    column, row = squares.locate(square, 9) % 9, squares.locate(square, 9) // 9
    here = squares.locate(page.evaluate(FOCUSED).removeprefix("sq-"), 9)
    for key, count in (("ArrowRight", column - here % 9), ("ArrowUp", row - here // 9)):
        opposite = {"ArrowRight": "ArrowLeft", "ArrowUp": "ArrowDown"}[key]
        for _ in range(abs(count)):
            page.keyboard.press(key if count > 0 else opposite)
    assert page.evaluate(FOCUSED) == f"sq-{square}"


def choose(page, *labels):
    """Choose an action by Tab and Enter, perhaps in the menu, and confirm it."""
    for label, kind in zip(
        labels, [".screen-bar summary"] * (len(labels) - 1) + [".ask-box button"], strict=True
    ):
        is_named = f"[document.activeElement.innerText, document.activeElement.ariaLabel].includes('{label}')"
        press_until(page, "Tab", f"document.activeElement.matches('{kind}') && {is_named}")
        page.keyboard.press("Enter")


def test_a_whole_game_by_keyboard_alone(table):
    position, rng = RULES.initial({"size": 9}), random.Random(4)
    for ply in range(14):
        page = table[ply % 2]
        wait_for_ply(page, ply)
        assert_shows(page, position, to_play=True)
        move = rng.choice([move for move in RULES.legal_moves(position) if move != "pass"])
        walk_to(page, move)
        page.keyboard.press("Enter" if ply % 3 else "Space")
        position = RULES.play(position, move)
        wait_for_ply(page, ply + 1)
        assert page.evaluate(FOCUSED) == f"sq-{move}"  # the focus stays on the square
        assert page.locator("#board [tabindex='0']").count() == 1
    for ply in (14, 15):
        wait_for_ply(table[ply % 2], ply)
        choose(table[ply % 2], "Pass", "Pass")
    for page in table[:2]:
        expect(page.locator("#turn")).to_contain_text(re.compile("You (won|lost) by"))


def test_aborting_and_resigning_by_keyboard(table, sit_down):
    black, white, url = table
    black.click("#sq-c4 button")
    wait_for_ply(white, 1)
    white.click("#sq-g6 button")
    wait_for_ply(black, 2)
    choose(black, "More", "Resign", "Resign the game")
    expect(white.locator("#turn")).to_contain_text("won: ")
    white.locator("button:has-text('Rematch')").press("Enter")
    black.locator("button:has-text('Accept the rematch')").press("Enter")
    white.wait_for_url(lambda now: now != url and "/games/" in now)
    choose(white, "More", "Abort", "Abort the game")
    expect(black.locator("#turn")).to_contain_text("aborted")


def test_the_focus_stays_near_a_button_that_vanishes_when_it_is_pressed(table):
    black, white, _ = table
    black.click("#sq-c4 button")
    wait_for_ply(white, 1)
    for answer in ("Decline", "Accept"):
        black.locator("#takeback").press("Enter")
        expect(black.locator("button:has-text('Cancel the request')")).to_be_focused()
        white.locator(f"#turn button:has-text('{answer}')").press("Enter")
        expect(white.locator("#turn")).to_be_focused()
    wait_for_ply(white, 0)
    white.keyboard.press("Tab")
    expect(white.locator("#turn a")).to_be_focused()
    expect(white.locator("#turn")).not_to_have_attribute("tabindex", "-1")


def test_the_focus_goes_to_the_page_when_a_notice_is_closed(table):
    black, _, _ = table
    black.evaluate("fetch(location.href + '/abort', {method: 'POST'})")
    black.locator("button:has-text('Rematch')").press("Enter")
    black.locator(".notice-close").press("Enter")
    expect(black.locator("#main")).to_be_focused()


def test_escape_closes_a_question(table):
    black, _, _ = table
    open_question(black, "Abort")
    expect(black.locator(".screen-bar details[open]")).to_have_count(2)
    black.keyboard.press("Escape")
    expect(black.locator(".screen-bar details[open]")).to_have_count(0)


def test_escape_closes_what_is_open_before_it_takes_premoves_back(table):
    _, white, _ = table
    premoves = white.locator("#board .sq-premove")
    white.click("#sq-g4")
    open_question(white, "Abort")
    white.keyboard.press("Escape")
    expect(white.locator(".screen-bar details[open]")).to_have_count(0)
    expect(premoves).to_have_count(1)
    white.keyboard.press("Escape")
    expect(premoves).to_have_count(0)


def test_the_list_of_moves_is_one_tab_stop_with_arrow_keys(table):
    black, white, _ = table
    for ply, (page, move) in enumerate(((black, "c4"), (white, "g6"), (black, "d4"), (white, "f6"))):
        wait_for_ply(page, ply)
        page.click(f"#sq-{move} button")
    wait_for_ply(black, 4)
    focused = black.locator("#move-list a:focus")
    black.locator("#move-list [tabindex='0']").focus()
    for key, move in (("ArrowUp", "g6"), ("ArrowLeft", "c4"), ("ArrowRight", "g6"), ("ArrowDown", "f6")):
        black.keyboard.press(key)
        expect(focused).to_contain_text(move)
    assert black.locator("#move-list [tabindex='0']").count() == 1


def test_keys_pass_show_strength_and_open_the_chat(table):
    black, _, _ = table
    black.keyboard.press("s")
    expect(black.locator("#show-strength")).to_be_checked()
    black.keyboard.press("p")
    expect(black.locator("#actions .ask-box")).to_be_visible()
    black.keyboard.press("c")
    expect(black.locator("#chat")).to_be_visible()


@pytest.mark.parametrize("leave", ["Escape", "Cancel", "p"])
def test_a_question_that_a_key_opens_has_the_focus_and_gives_it_back(table, leave):
    black, _, _ = table
    walk_to(black, "e4")
    black.keyboard.press("p")
    expect(black.locator("#actions .ask-box .button-main")).to_be_focused()
    if leave == "Cancel":
        black.keyboard.press("Tab")
        expect(black.locator("#actions .ask-box [data-close]")).to_be_focused()
    black.keyboard.press("Enter" if leave == "Cancel" else leave)
    expect(black.locator("#actions .ask-box")).to_be_hidden()
    assert black.evaluate(FOCUSED) == "sq-e4"


def test_a_question_that_a_key_opens_is_answered_by_enter(table):
    black, white, _ = table
    wait_for_ply(black, 0)
    black.keyboard.press("p")
    black.keyboard.press("Escape")
    assert black.evaluate("document.activeElement === document.body")  # nothing had the focus
    black.keyboard.press("p")
    black.keyboard.press("Enter")
    wait_for_ply(white, 1)


def test_a_question_mark_shows_the_keys(table):
    black, _, _ = table
    black.set_viewport_size({"width": 1280, "height": 720})
    black.keyboard.press("?")
    expect(black.locator(".help-keys")).to_be_in_viewport(ratio=0.7)
    expect(black.locator(".help-keys dt").first).to_be_in_viewport(ratio=1)


def test_home_and_end_move_to_the_edges(table):
    black, _, _ = table
    walk_to(black, "e4")
    for key, square in (("Home", "a4"), ("End", "i4"), ("Control+Home", "a9"), ("Control+End", "i1")):
        black.keyboard.press(key)
        assert black.evaluate(FOCUSED) == f"sq-{square}"
    black.keyboard.press("ArrowRight")  # the edge of the board
    assert black.evaluate(FOCUSED) == "sq-i1"


def test_a_key_that_is_held_down_does_not_confirm_the_move_that_it_selects(table):
    black, _, _ = table
    black.evaluate("document.documentElement.dataset.confirm = 'always'")
    walk_to(black, "e4")
    black.keyboard.down("Enter")
    black.keyboard.down("Enter")  # the key repeats itself
    black.keyboard.up("Enter")
    expect(black.locator("#confirm")).to_be_visible()
    expect(black.locator("#sq-e4")).to_have_class(re.compile(r"\bsq-picked\b"))
    black.keyboard.press("Enter")
    wait_for_ply(black, 1)


def test_a_square_is_said_in_one_sentence(table):
    black, white, _ = table
    black.click("#sq-c4 button")
    for page, other in ((black, "a1"), (white, "a1 playable")):
        for name in ("c4, black disk, last move", other):
            expect(page.get_by_role("gridcell", name=name, exact=True)).to_have_count(1)
    black.keyboard.press("s")
    expect(black.get_by_role("gridcell", name="c5 strength 1 to 0", exact=True)).to_have_count(1)


def test_up_leads_to_a_square_near_the_middle_that_may_be_played_on(table):
    page = table[0]
    wait_for_ply(page, 0)
    page.keyboard.press("ArrowUp")
    first = page.evaluate(FOCUSED)
    assert first in {f"sq-{name}" for name in ("d5", "e4", "e6", "f5")}  # the first disk may not go on e5
    page.keyboard.press("ArrowUp")
    assert page.evaluate(FOCUSED) != first
    page.keyboard.press("Enter")
    wait_for_ply(page, 1)


def test_keys_step_through_the_moves_after_a_tab_was_clicked_or_opened_by_its_key(table):
    page = table[0]
    for ply, move in enumerate(("c3", "g7")):
        wait_for_ply(table[ply % 2], ply)
        table[ply % 2].click(f"#sq-{move}")
    wait_for_ply(page, 2)
    page.locator(".screen-tabs label").first.click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#move-list [aria-current]")).to_contain_text("c3")
    page.keyboard.press("?")
    expect(page.locator("#info")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#move-list [aria-current]")).to_contain_text("g7")
    page.focus(".screen-tabs [value=moves]")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")  # whoever reaches the tabs by keyboard chooses one
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#move-list [aria-current]")).to_contain_text("g7")
